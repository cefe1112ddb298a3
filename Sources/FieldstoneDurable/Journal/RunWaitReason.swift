public import Foundation

/// The reason that a run does not continue at a moment.
public enum RunWaitReason: Sendable, Hashable {
  /// It is due: a worker with its flow claims it when it has room.
  case due
  /// A worker holds it.
  case running(worker: String?)
  /// Its flow, its concurrency key or the run itself is paused.
  case paused(JournalPause)
  /// Its start or its stage has set a time.
  case time(Date)
  /// An attempt at its stage has failed, and the next begins at that time.
  case retry(at: Date, error: String?)
  /// It awaits a signal of one of these names, with an optional time-out.
  case signals([String], until: Date?)
  /// It awaits its children, of which this many are unfinished, with an optional time-out.
  case children(open: Int, until: Date?)
  /// Workers have died at its stage: it is tried at its group's turn.
  case quarantine(crashes: Int)
  /// Its flow has as many runs as its limit allows: these.
  case flowLimit(Int, counting: FlowLimits.Counting, heldBy: [RunID])
  /// Its concurrency key has as many runs as its limit allows: these.
  case keyLimit(String, Int, heldBy: [RunID])
  /// The rate of its flow is used up; the next claim is possible at that time.
  case rate(next: Date)
  /// No known worker has its flow.
  case noWorker(flow: String)
  /// The workers have an older version of its flow than the one that wrote its stage.
  case newerVersion(found: Int, known: Int)
  /// The code can't read its stage.
  case blocked(error: String?)
  /// It is dead, completed or cancelled: nothing follows by itself.
  case over(RunState, error: String?)
}

extension RunWaitReason {
  /// The reason, followed by what makes the run continue.
  public var message: String {
    switch self {
    case .due:
      "It is due: a worker that has its flow claims it when it has room. If none does, start one."
    case .running(let worker):
      "Worker \(worker ?? "unknown") has it; it goes on by itself, also if that worker dies."
    case .paused(let pause):
      "\(Self.text(pause.target)) is paused" + (pause.until.map { " until \(Self.text($0))" } ?? "")
        + "; resume that to let it go on."
    case .time(let date):
      "It waits until \(Self.text(date)); retry it to let it go on at once."
    case .retry(let date, let error):
      "An attempt has failed\(Self.text(error)), and the next is made at \(Self.text(date)); retry it to "
        + "let it go on at once."
    case .signals(let names, let date):
      "It awaits \(Self.text(signals: names))" + (date.map { " until \(Self.text($0))" } ?? "")
        + "; send \(names.count > 1 ? "one of them" : "that"), or retry it to let it go on without."
    case .children(let open, let date):
      "It awaits \(open) of its children" + (date.map { " until \(Self.text($0))" } ?? "")
        + "; look at these, or retry it to let it go on without."
    case .quarantine(let crashes):
      "Its workers have died \(crashes) times at its stage, so it is tried apart from others; mend what "
        + "ends them, or retry it to let it go on among the others."
    case .flowLimit(let maximum, .wholeRun, let holders):
      "Its flow is limited to \(maximum) runs that have begun and are not over, and these are: "
        + "\(Self.text(holders)); it goes on when one of them ends. Look at one that is dead or blocked: it "
        + "may hold its place."
    case .flowLimit(let maximum, .executing, let holders):
      "Its flow is limited to \(maximum) at a time, and these are under way: \(Self.text(holders)); it goes on "
        + "when one of them ends or waits."
    case .keyLimit(let key, let maximum, let holders):
      "Its concurrency key “\(key)” is limited to \(maximum) at a time, and these have the places: "
        + "\(Self.text(holders)); it goes on when one of them ends. Look at one that is dead or blocked: it "
        + "may hold its place."
    case .rate(let date):
      "Its flow was taken up as often as its rate allows; it goes on from \(Self.text(date)) on."
    case .noWorker(let flow):
      "No worker has the flow “\(flow)”; start one that has."
    case .newerVersion(let found, let known):
      "Its stage was written by version \(found) of its flow, and the workers have \(known); start newer "
        + "ones."
    case .blocked(let error):
      "The code can't read its stage\(Self.text(error)); start a worker that can, or edit it."
    case .over(.dead, let error):
      "It is dead\(Self.text(error)); mend the cause, then retry or edit it."
    case .over(let state, _):
      "It is \(state.rawValue); nothing follows."
    }
  }

  private static func text(_ target: PauseTarget) -> String {
    switch target {
    case .flow(let name): "The flow “\(name)”"
    case .concurrencyKey(let key, let flow): "The concurrency key “\(key)” of “\(flow)”"
    case .run: "It"
    }
  }

  /// The first of some runs, and the number of the others.
  private static func text(_ ids: [RunID]) -> String {
    let first = ids.prefix(3).map(\.description).joined(separator: ", ")
    return ids.count > 3 ? "\(first) and \(ids.count - 3) more" : first
  }

  private static func text(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle())
  }

  private static func text(signals names: [String]) -> String {
    "\(names.count > 1 ? "one of the signals" : "the signal") \(names.quoted())"
  }

  private static func text(_ error: String?) -> String { error.map { " (\($0))" } ?? "" }
}

/// A run with further data of its journal that explains why it waits.
public struct RunStanding: Sendable, Hashable {
  /// The run.
  public var record: RunRecord
  /// Whether an awaited signal exists.
  public var hasSignal: Bool
  /// Whether it is in quarantine.
  public var isQuarantined: Bool
  /// The use of its flow's limits while it is ready; nil if there are none.
  public var limitUse: LimitUse?

  /// Makes a standing.
  public init(
    record: RunRecord, hasSignal: Bool = false, isQuarantined: Bool = false,
    limitUse: LimitUse? = nil
  ) {
    self.record = record
    self.hasSignal = hasSignal
    self.isQuarantined = isQuarantined
    self.limitUse = limitUse
  }

  /// The reason that the run does not continue.
  ///
  /// - Parameters:
  ///   - date: the wall time.
  ///   - flows: the versions of the workers' flows, by flow name; nil if unknown.
  public func waitReason(at date: Date, flows: [String: Int]? = nil) -> RunWaitReason {
    switch record.state {
    case .running: return .running(worker: record.worker)
    case .blocked: return .blocked(error: record.error)
    case .completed, .dead, .cancelled: return .over(record.state, error: record.error)
    case .ready: break
    }
    if let flows {
      guard let known = flows[record.flow] else { return .noWorker(flow: record.flow) }
      guard record.version <= known else {
        return .newerVersion(found: record.version, known: known)
      }
    }
    if isQuarantined { return .quarantine(crashes: record.crashes) }
    let whenDue = limitUse?.reason(for: record, at: date) ?? .due
    guard let due = record.dueAt, due > date else { return whenDue }
    if record.attempts > 0 {
      // It was parked at a time that is now in the future: the clock was set back.
      return record.changedAt > date ? whenDue : .retry(at: due, error: record.error)
    }
    if let join = record.join, join.policy != nil {
      return .children(open: join.open, until: due == .distantFuture ? nil : due)
    }
    if record.awaitedSignals.isEmpty { return .time(due) }
    if hasSignal { return whenDue }
    return .signals(record.awaitedSignals, until: due == .distantFuture ? nil : due)
  }
}

extension Journal {
  /// The reason that a run does not continue.
  ///
  /// - Parameters:
  ///   - id: names the run.
  ///   - date: the wall time; a PostgreSQL journal asks its server instead.
  ///   - flows: the versions of the workers' flows, by flow name; nil for those of the journal's
  ///     live workers, if it has any.
  /// - Throws: `JournalError.noRun`.
  public func waitReason(
    of id: RunID, at date: Date, flows: [String: Int]? = nil
  ) async throws -> RunWaitReason {
    guard let standing = try await standing(of: id) else { throw JournalError.noRun(id) }
    guard standing.record.state == .ready else {
      return standing.waitReason(at: date, flows: flows)
    }
    let now = try await currentDate(byCaller: date)
    let pauses = try await surveyedPauses(of: [id])
    if let pause = pauses.first(where: { $0.holds(standing.record, at: now) }) {
      return .paused(pause)
    }
    let served =
      if let flows { flows } else { WorkerRecord.flows(of: try await workers(), at: now) }
    return standing.waitReason(at: now, flows: served)
  }
}

extension JournalPause {
  /// Whether a ready run waits for its end.
  fileprivate func holds(_ record: RunRecord, at date: Date) -> Bool {
    if let until, until <= date { return false }
    return switch target {
    case .flow, .run: target == .flow(record.flow) || target == .run(record.id)
    case .concurrencyKey:
      record.concurrencyKey.map { target == .concurrencyKey($0, flow: record.flow) } ?? false
    }
  }
}
