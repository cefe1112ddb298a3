import FieldstoneCore

/// Work under way for one call, or for calls that share it, with its latest reports.
///
/// It counts its calls: the work is cancelled when the last call leaves.
@MainActor
final class InFlightLoad {
  /// An event of a load, on the main actor.
  enum News {
    /// The wait is over, and the work begins unless the load is ended.
    case began
    case reported(CallEvent)
    /// All reports so far have been delivered.
    case paused
    case ended(Outcome<any LoadedValue>)
  }

  let number: Int
  /// Receives the news; retains its owner while work is under way.
  private var tell: (@MainActor (InFlightLoad, News) -> Void)?
  private var work: CallWork?
  private var task: Task<Void, Never>?
  /// The task of work whose turn comes later, made for the caller that starts the call.
  private var deferred: DeferredTask?

  /// The key to share the load by, until the delay of its only call is over.
  var key: AnyHashable?

  /// The revision that the work started from.
  var revision = 0
  private(set) var isOver = false
  private(set) var isRunning = false

  /// The waiting calls; the first is stored separately because most loads have only one.
  private var first: AnyCall?
  /// The other calls, and those that have left and were not removed yet.
  private var others: [AnyCall] = []
  private var leftCount = 0

  /// The latest reports, for a call that joins later.
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
  var isEmpty: Bool { first == nil && others.count == leftCount }

  /// The calls that have not ended, in the order in which they came.
  var calls: [AnyCall] {
    (first.map { [$0] } ?? []) + (leftCount == 0 ? others : others.filter(isHere))
  }

  func forEachCall(_ body: (AnyCall) -> Void) {
    let others = others
    if let first { body(first) }
    for call in others where isHere(call) { body(call) }
  }

  func add(_ call: AnyCall) {
    if isEmpty { first = call } else { others.append(call) }
  }

  /// Notes that a call has ended before its load; O(1) amortised.
  func noteLeft(_ call: AnyCall) {
    if first === call { return first = nil }
    leftCount += 1
    // Calls that left are removed once they are the majority.
    guard leftCount > others.count / 2 else { return }
    others.removeAll { !isHere($0) }
    leftCount = 0
  }

  private func isHere(_ call: AnyCall) -> Bool { call.load == number }

  /// Keeps the task-local values and the priority of the caller for the work.
  func deferWork(in task: DeferredTask = DeferredTask()) {
    deferred = task
  }

  /// Starts the work after the wait, in the task that was kept for it or in a new one.
  func launch(after wait: Duration) {
    guard let work = work.take() else { return }
    // The wait counts from now, not from when the task starts to run.
    let deadline = wait > .zero ? work.time.uptime + wait : nil
    if deadline == nil { isRunning = true }
    if let deferred {
      deferred.begin { await self.finish(self.outcome(of: work, atUptime: deadline)) }
    } else {
      task = Task { @concurrent in
        await self.finish(self.outcome(of: work, atUptime: deadline))
      }
    }
  }

  /// Releases the calls and the closure `tell`, so that a late load does not retain them.
  func endNow() {
    isOver = true
    tell = nil
    first = nil
    others = []
    leftCount = 0
    work = nil
    lastEarlyValue = nil
  }

  /// Cancels the work; call it once every state is consistent, as it may run users' code.
  func stopWork() {
    task?.cancel()
    deferred?.cancel()
  }

  // MARK: Off the main actor

  /// Runs the work; with a deadline, it first waits and checks that the load is still needed.
  private nonisolated func outcome(
    of work: CallWork, atUptime deadline: Duration?
  ) async -> Outcome<any LoadedValue> {
    await Outcome(running: {
      if let deadline {
        try await work.time.sleep(untilUptime: deadline)
        guard await proceed() else { throw CallCancelled(.caller) }
      }
      return try await work.run(report)
    })
  }

  /// Puts a report into the inbox, and schedules its delivery on the main actor.
  @Sendable private nonisolated func report(_ event: CallEvent) {
    let isFirst = inbox.withLock { $0.put(event) }
    if isFirst { MainDispatch.async { self.takeReports() } }
  }

  // MARK: On the main actor

  private func finish(_ outcome: Outcome<any LoadedValue>) {
    guard let tell else { return }
    // Reports made before the end are delivered before it.
    noteReports()
    tell(self, .ended(outcome))
  }

  private func proceed() -> Bool {
    guard let tell else { return false }
    isRunning = true
    tell(self, .began)
    return !isOver
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
      // Each of them may run code that ends the work.
      tell?(self, .reported(event))
    }
  }
}

/// Reports of a load that wait for the main actor.
struct CallInbox: Sendable {
  private var events: [CallEvent] = []

  /// Adds an event.
  ///
  /// - Returns: whether it is the first, so that the caller must start the delivery.
  mutating func put(_ event: CallEvent) -> Bool {
    if events.count >= 64, case .progress = event, case .progress = events[events.count - 1] {
      events[events.count - 1] = event
    } else {
      events.append(event)
    }
    return events.count == 1
  }

  /// Removes and returns all events, in order.
  mutating func takeAll() -> [CallEvent] {
    if events.isEmpty { return [] }
    defer { events = [] }
    return events
  }
}
