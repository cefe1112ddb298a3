import FieldstoneCore
public import FieldstoneStages
import Foundation

extension DurableRunner {
  /// Adds a new run to the journal, for a runner to claim.
  ///
  /// At most 256 concurrent starts are written at the same time; the others wait in turn.
  ///
  /// - Parameters:
  ///   - stage: the run's first stage.
  ///   - key: unique among the flow's runs. If a run already has this key, ``RunOptions/ifTaken``
  ///     decides what happens. By default that run is returned, in any state, and nothing is
  ///     started. A *blocked* run is made ready for the next claim, unless a newer version wrote
  ///     it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: ContextualStage & Codable>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) async throws -> RunHandle<Work.Completion> where Work.Completion: Codable {
    // Not in a callee: each waiting start would hold the callee's frame.
    await startGate.enter()
    defer { startGate.leave() }
    return handle(try await start(stage, key: key, options: options, flowName: flow))
  }

  /// Adds a new run to the journal, for a runner to claim.
  ///
  /// At most 256 concurrent starts are written at the same time; the others wait in turn.
  ///
  /// - Parameters:
  ///   - stage: the run's first stage.
  ///   - key: unique among the flow's runs. If a run already has this key, ``RunOptions/ifTaken``
  ///     decides what happens. By default that run is returned, in any state, and nothing is
  ///     started. A *blocked* run is made ready for the next claim, unless a newer version wrote
  ///     it.
  ///   - options: when the run begins, and its priority.
  ///   - flow: names the flow; needed only where several flows have this type of stage.
  /// - Throws: ``DurableRunnerError/notRegistered(stage:)``, ``JournalError``, `EncodingError`.
  @discardableResult
  public func start<Work: DurableStage>(
    _ stage: Work, key: String? = nil, options: RunOptions = RunOptions(), flow: String? = nil
  ) async throws -> RunHandle<Work.Completion> {
    // Not in a callee: each waiting start would hold the callee's frame.
    await startGate.enter()
    defer { startGate.leave() }
    return handle(try await start(stage, key: key, options: options, flowName: flow))
  }

  /// A handle of a run by its identifier; nothing is looked up until the handle is used.
  public func handle<Completion: Codable & Sendable>(
    _ id: RunID, completion: Completion.Type = Completion.self
  ) -> RunHandle<Completion> {
    RunHandle(id: id, runner: self)
  }

  private func start<Work: Encodable & Sendable>(
    _ stage: Work, key: String?, options: RunOptions, flowName: String?
  ) async throws -> RunID {
    let flow = try requests.flow(of: Work.self, named: flowName)
    let request = try requests.start(stage, key: key, options: options, flow: flow.name)
    let now = JournalTime(time, boot: self.options.boot)
    let record = try await journal.start(request, at: now)
    // A waiting handle would otherwise report *blocked* just before the runner frees the run. Only
    // a claim reads the stage; a claim counts a crash that ends the process.
    if flow.mayFree(record) { try await journal.free(record.id, by: self.options.worker, at: now) }
    emit(.started, flow: flow.name, run: record.id)
    nudge(record.id)
    return record.id
  }
}

/// Limits the starts at the same time; each holds its stage as JSON until it is written.
final class StartGate: Sendable {
  private struct State {
    var places: Int
    var waiting = FIFO<CheckedContinuation<Void, Never>>()

    mutating func takePlace() -> Bool {
      guard places > 0 else { return false }
      places -= 1
      return true
    }
  }

  private let state: Locked<State>

  init(places: Int) {
    state = Locked(State(places: places))
  }

  func enter() async {
    if state.withLock({ $0.takePlace() }) { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        if state.takePlace() { return true }
        state.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  func leave() {
    // The place passes directly to the next start, so that no other start takes it.
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.places += 1 }
      return next
    }
    next?.resume()
  }
}

extension DurableRunner {
  /// Deletes finished runs that are older than the retention; the runner never does so by itself.
  ///
  /// Call it from one process, about once a day. The keys of deleted runs can be used again.
  ///
  /// - Returns: the number of deleted runs.
  /// - Throws: ``JournalError``.
  @discardableResult
  public func purge(_ retention: JournalRetention = JournalRetention()) async throws -> Int {
    try await journal.purge(retention, at: JournalTime(time, boot: options.boot))
  }
}
