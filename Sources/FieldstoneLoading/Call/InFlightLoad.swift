import FieldstoneCore

/// Work under way for one call, or for the calls that share it, and what it has reported.
///
/// It is counted: the work is stopped when the last call has left.
@MainActor
final class InFlightLoad {
  /// An event of a load, on the main actor.
  enum News {
    /// It has waited, and works from now on.
    case began
    case reported(CallEvent)
    /// All reports so far have been passed on.
    case paused
    case ended(Outcome<any LoadedValue>)
  }

  let number: Int
  /// Takes the news; it keeps its owner alive while work is under way.
  private var tell: (@MainActor (InFlightLoad, News) -> Void)?
  private var work: CallWork?
  private var task: Task<Void, Never>?

  /// The revision that the work started from.
  var revision = 0
  private(set) var isOver = false
  private(set) var isRunning = false

  /// The calls that wait for it, the first apart because there rarely is another.
  private var first: AnyCall?
  private var others: [AnyCall] = []

  /// The newest reports, for a call that joins later.
  private(set) var lastEarlyValue: (any LoadedValue)?
  private(set) var lastProgress: LoadProgress?

  private nonisolated let inbox = Locked(CallInbox())

  init(
    _ number: Int, work: CallWork, tell: @escaping @MainActor (InFlightLoad, News) -> Void
  ) {
    self.number = number
    self.work = work
    self.tell = tell
  }

  var delay: Duration { work?.delay ?? .zero }
  var isEmpty: Bool { first == nil && others.isEmpty }
  var calls: [AnyCall] { (first.map { [$0] } ?? []) + others }

  func forEachCall(_ body: (AnyCall) -> Void) {
    let others = others
    if let first { body(first) }
    for call in others { body(call) }
  }

  func add(_ call: AnyCall) {
    if first == nil, others.isEmpty { first = call } else { others.append(call) }
  }

  func remove(_ call: AnyCall) {
    if first === call { first = nil } else { others.removeAll { $0 === call } }
  }

  /// Starts the task of the work, which waits first where a wait is given.
  func launch(after wait: Duration) {
    guard let work = work.take() else { return }
    if wait > .zero {
      // From now on, and not from when the task gets to it.
      let deadline = work.time.uptime + wait
      task = Task { @concurrent in
        await self.finish(self.outcome(of: work, atUptime: deadline))
      }
    } else {
      isRunning = true
      task = Task { @concurrent in await self.finish(self.outcome(of: work)) }
    }
  }

  /// Releases the calls and the closure `tell`: a late load must not keep them alive.
  func endNow() {
    isOver = true
    tell = nil
    first = nil
    others = []
    work = nil
    lastEarlyValue = nil
  }

  /// Stops what is under way; call it when every state is in order, as it may run the user's code.
  func stopWork() {
    task?.cancel()
  }

  // MARK: Off the main actor

  /// Works; waits before where there is a deadline, and then works if the call still wants that.
  private nonisolated func outcome(
    of work: CallWork, atUptime deadline: Duration? = nil
  ) async -> Outcome<any LoadedValue> {
    await Outcome(running: {
      if let deadline {
        try await work.time.sleep(untilUptime: deadline)
        guard await proceed() else { throw CallCancelled(.caller) }
      }
      return try await work.run(report)
    })
  }

  /// Puts a report into the inbox, and has it emptied on the main actor.
  @Sendable private nonisolated func report(_ event: CallEvent) {
    let isFirst = inbox.withLock { $0.put(event) }
    if isFirst { MainDispatch.async { self.takeReports() } }
  }

  // MARK: Back on it

  private func finish(_ outcome: Outcome<any LoadedValue>) {
    guard let tell else { return }
    // What was reported before the end is heard before it.
    noteReports()
    tell(self, .ended(outcome))
  }

  private func proceed() -> Bool {
    guard let tell else { return false }
    isRunning = true
    tell(self, .began)
    return true
  }

  private func takeReports() {
    guard let tell else { return withExtendedLifetime(inbox.withLock { $0.takeAll() }) {} }
    noteReports()
    tell(self, .paused)
  }

  private func noteReports() {
    let events = inbox.withLock { $0.takeAll() }
    for event in events {
      switch event {
      case .earlyValue(let value): lastEarlyValue = value
      case .progress(let progress): lastProgress = progress
      default: break
      }
      // Any of them may run what ends the work.
      tell?(self, .reported(event))
    }
  }
}

/// The reports of a load that the main actor has not taken yet.
struct CallInbox: Sendable {
  private var events: [CallEvent] = []

  /// Puts an event in.
  ///
  /// - Returns: whether it is the first, so that the caller has to start its delivery.
  mutating func put(_ event: CallEvent) -> Bool {
    if events.count >= 64, case .progress = event, case .progress = events[events.count - 1] {
      events[events.count - 1] = event
    } else {
      events.append(event)
    }
    return events.count == 1
  }

  /// Takes everything out, in order.
  mutating func takeAll() -> [CallEvent] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }
}
