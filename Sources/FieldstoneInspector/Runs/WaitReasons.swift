#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneServing
  import Foundation

  /// What holds back the runs of a journal: its pauses, its limits, and flows without a worker.
  struct WaitReasons: Sendable {
    /// The pauses of flows and keys, in the journal's order; of runs only those that a page shows.
    private let pauses: [JournalPause]
    private var byTarget: [PauseTarget: JournalPause]
    /// The versions of the workers' flows, by flow name; nil if unknown.
    var served: [String: Int]?
    /// The limits of flows with their use, by flow name.
    private var limits: [ByteName: LimitStanding] = [:]

    /// Indexes the pauses; O(n) in their number.
    init(_ pauses: [JournalPause] = []) {
      self.pauses = pauses
      byTarget = Dictionary(pauses.map { ($0.target, $0) }) { first, _ in first }
    }

    /// Indexes the pauses, the workers' flows and the limits; O(n) in their numbers.
    init(
      _ pauses: [JournalPause], workers: [WorkerRecord], limits: [LimitStanding], at date: Date
    ) {
      self.init(pauses)
      served = WorkerRecord.flows(of: workers, at: date)
      self.limits = Dictionary(limits.map { (ByteName($0.flow), $0) }) { first, _ in first }
    }

    /// Adds the pauses of runs.
    mutating func add(_ pauses: [JournalPause]) {
      for pause in pauses { byTarget[pause.target] = pause }
    }

    subscript(target: PauseTarget) -> JournalPause? { byTarget[target] }

    /// The pause of a target, unless its time is over; O(1).
    func lasting(_ target: PauseTarget, at date: Date) -> JournalPause? {
      byTarget[target].flatMap { $0.until.map { $0 > date } ?? true ? $0 : nil }
    }

    /// The limits of a flow with their use; nil if it has none.
    func limits(of flow: String) -> LimitStanding? { limits[ByteName(flow)] }

    /// The pause that holds a run, its flow's first; O(1).
    ///
    /// Of a run's own pause that was not read the end is unknown, and nil.
    func holding(_ run: RunRecord, at date: Date) -> JournalPause? {
      let key = run.concurrencyKey.map { PauseTarget.concurrencyKey($0, flow: run.flow) }
      let own = PauseTarget.run(run.id)
      if let pause = [.flow(run.flow), key, own].lazy.compactMap({ $0 })
        .compactMap({ lasting($0, at: date) }).first
      {
        return pause
      }
      return run.isPaused && byTarget[own] == nil ? JournalPause(own) : nil
    }

    /// The reason why a run waits; that of a standing without its limits is as the flow's limits are.
    ///
    /// - Parameter isServed: whether a live worker counts as having its flow in any case.
    func reason(
      for standing: RunStanding, at date: Date, isServed: Bool = false
    ) -> RunWaitReason {
      if standing.record.state == .ready, let pause = holding(standing.record, at: date) {
        return .paused(pause)
      }
      let reason = standing.waitReason(at: date, flows: isServed ? nil : served)
      guard case .due = reason, standing.limitUse == nil,
        let limit = limits(of: standing.record.flow)
      else { return reason }
      return limit.reason(for: standing.record, at: date) ?? reason
    }

    /// The pauses of a flow and of its concurrency keys; O(n).
    func of(flow: String) -> [JournalPause] {
      pauses.filter { pause in
        switch pause.target {
        case .flow(let name), .concurrencyKey(_, flow: let name): name.utf8.elementsEqual(flow.utf8)
        case .run: false
        }
      }
    }
  }

  extension LimitStanding {
    /// The limit that holds back a due run as far as its record tells; nil if none does.
    func reason(for run: RunRecord, at date: Date) -> RunWaitReason? {
      let limits = limits.effective
      let hasBegun = run.fence > 0
      if let perKey = limits.perKey, let key = run.concurrencyKey,
        !(hasBegun && perKey.counting == .wholeRun), keys.contains(where: { $0.name == key })
      {
        return .keyLimit(key, perKey.maximum, heldBy: [])
      }
      if let maximum = limits.runs, isFull, !(hasBegun && limits.counting == .wholeRun) {
        return .flowLimit(maximum, counting: limits.counting, heldBy: [])
      }
      return nextToken.flatMap { $0 > date ? .rate(next: $0) : nil }
    }
  }

  /// A reason for waiting that the table of runs can be filtered by; its raw values are part of
  /// addresses.
  enum WaitKind: String, CaseIterable {
    case due
    case flowLimit = "flow-limit"
    case rate
    case unserved
    case paused
    case time
    case retry
    case signal
    case children
    case limit
    case quarantine

    /// The wait that a journal's index finds; nil if no index does.
    var asked: RunWait? {
      switch self {
      case .due, .flowLimit, .rate, .unserved: nil
      case .paused: .pause
      case .time: .time
      case .retry: .retry
      case .signal: .signal(nil)
      case .children: .children
      case .limit: .keyLimit
      case .quarantine: .quarantine
      }
    }

    /// Whether it is derived from a run's record, because no index finds its runs.
    var isDerived: Bool { asked == nil }

    init?(_ reason: RunWaitReason) {
      switch reason {
      case .due: self = .due
      case .flowLimit: self = .flowLimit
      case .rate: self = .rate
      case .noWorker, .newerVersion: self = .unserved
      case .keyLimit: self = .limit
      case .quarantine: self = .quarantine
      case .paused: self = .paused
      case .time: self = .time
      case .retry: self = .retry
      case .signals: self = .signal
      case .children: self = .children
      default: return nil
      }
    }

    var title: String {
      switch self {
      case .due: "a worker"
      case .flowLimit: "a place of its flow"
      case .rate: "the rate of its flow"
      case .unserved: "a worker with its flow"
      case .paused: "the end of a pause"
      case .time: "a time"
      case .retry: "another attempt"
      case .signal: "a signal"
      case .children: "its children"
      case .limit: "a place of its key"
      case .quarantine: "its turn in quarantine"
      }
    }
  }

  /// Pausing or resuming; its raw values are part of addresses.
  enum PauseAction: String, CaseIterable {
    case pause
    case resume

    var title: String { self == .pause ? "Pause" : "Resume" }

    func effect(on target: PauseTarget) -> String {
      let runs =
        switch target {
        case .flow: "None of its runs is"
        case .concurrencyKey: "None of the runs with this key is"
        case .run: "The run is not"
        }
      return switch self {
      case .pause:
        "\(runs) given to a worker until the pause has ended. A stage that is under way goes on to its "
          + "checkpoint."
      case .resume: "Runs that no other pause concerns are given to workers again."
      }
    }

    func result(_ target: PauseTarget) -> String {
      let subject = target.text
      return subject.prefix(1).uppercased() + subject.dropFirst()
        + (self == .pause ? " is paused." : " goes on.")
    }
  }

  extension PauseTarget {
    /// Parses the target of an address.
    ///
    /// - Throws: `InspectorRefusal` if it names none.
    init(_ values: FormValues) throws(InspectorRefusal) {
      if let text = values["run"] {
        guard let id = RunID(text) else { throw .noIdentifier(text) }
        self = .run(id)
      } else if let flow = values["flow"] {
        self = values["key"].map { .concurrencyKey($0, flow: flow) } ?? .flow(flow)
      } else {
        throw InspectorRefusal(400, "The address names nothing to pause; begin at a flow or a run.")
      }
    }

    /// The names and values of its address.
    var pairs: [(String, String)] {
      switch self {
      case .flow(let name): [("flow", name)]
      case .concurrencyKey(let key, let flow): [("flow", flow), ("key", key)]
      case .run(let id): [("run", "\(id)")]
      }
    }

    /// The target as part of a sentence.
    var text: String {
      switch self {
      case .flow(let name): "the flow “\(name)”"
      case .concurrencyKey(let key, let flow): "the concurrency key “\(key)” of “\(flow)”"
      case .run(let id): "the run \(id)"
      }
    }
  }
#endif
