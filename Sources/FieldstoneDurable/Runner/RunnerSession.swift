import FieldstoneCore
import Foundation

/// A runner at work, from `run()` to its end.
///
/// Nothing in here is ever cancelled but the stages' work: the driver of a run must still be able
/// to give it back.
final class RunnerSession: Sendable {
  private struct State {
    var isStopping = false
    /// No more runs will be claimed.
    var isClosed = false
    /// All work has ended.
    var isOver = false
    /// In the order of their claims, so that what is done about all of them can be repeated.
    var activeLeases: [ActiveLease] = []
    /// How many runs of each flow are held; a flow without any is left out.
    var active: [String: Int] = [:]
    var quarantine: QuarantineSchedule
    /// The runs that were claimed and whose work has not begun.
    var unbegun: Set<RunID> = []
    /// Whether the next claim waits for them.
    var isClaimAwaitingBeginning = false
    /// Whether nothing is claimed until there is room, or a trial is over.
    var isClaimHeldUp = false
    var grace: Task<Void, Never>?
    /// When what was under way was cut short, by uptime.
    var graceEndedAt: Duration?
    /// Why the journal is of no use any more.
    var failure: JournalError?

    var isIdle: Bool { active.isEmpty }
  }

  let journal: any Journal
  let flows: [String: DurableFlow]
  let time: TimeSource
  let options: DurableRunnerOptions
  let news: RunChangeNotifier
  let requests: RunRequests
  let lease: Duration
  /// Rung when there may be something to claim, or room for it.
  let wakeEvent = WakeEvent()
  /// Rung when there may be a lease to be watched, or none any more.
  let leaseWakeEvent = WakeEvent()
  /// Where leases are renewed.
  let renewalExecutor: any TaskExecutor
  /// Where work is cancelled whose run was lost; nil for where that is found out.
  let cancellations: DispatchQueue?
  let executorWatch: Locked<ExecutorWatch>
  /// What there is room for while nothing is held: made once, as there may be a thousand flows.
  private let allRooms: [ClaimRequest.FlowRoom]
  private let renewalThread: RenewalThread?
  private let state: Locked<State>
  private let ended = OutcomePromise<Void>()

  init(
    journal: any Journal, flows: [String: DurableFlow], time: TimeSource,
    options: DurableRunnerOptions, news: RunChangeNotifier, requests: RunRequests
  ) {
    self.journal = journal
    self.flows = flows
    allRooms = flows.values.sorted { $0.name < $1.name }.map { flow in
      ClaimRequest.FlowRoom(flow: flow.name, version: flow.version, limit: flow.maxConcurrent)
    }
    self.time = time
    self.options = options
    self.news = news
    self.requests = requests
    // Bounded, so that no multiple of it overflows: three hundred years.
    lease = min(
      max(.milliseconds(1), options.lease ?? journal.clock.defaultLease), .seconds(10_000_000_000))
    let maximumHeldUpLeases = min(max(1, options.maximumHeldUpLeases), 1_000_000)
    executorWatch = Locked(ExecutorWatch(lease: lease, patience: lease * maximumHeldUpLeases))
    if let executor = options.renewalExecutor {
      renewalThread = nil
      renewalExecutor = executor
      cancellations = nil
    } else {
      let thread = RenewalThread(name: "fieldstone.renewals")
      renewalThread = thread
      renewalExecutor = thread
      cancellations = DispatchQueue(label: "fieldstone.cancellations", qos: .userInitiated)
    }
    state = Locked(
      State(
        quarantine: QuarantineSchedule(
          lease: lease, crashes: max(1, options.crashesBeforeQuarantine))))
  }

  var journalTime: JournalTime { JournalTime(time, boot: options.boot) }

  func emit(
    _ kind: RunnerEvent.Kind, flow: String? = nil, run: RunID? = nil, sequence: Int? = nil
  ) {
    requests.events.emit(kind, flow: flow, run: run, sequence: sequence)
  }

  /// Works until it is stopped, or the journal fails for good.
  ///
  /// - Returns: the error of the journal, if it was that.
  func work() async -> (any Error)? {
    let wakeUps = (journal as? any WakeUpSource)?.onWakeUp { [wakeEvent] in wakeEvent.signal() }
    defer { wakeUps?.cancel() }
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: renewalExecutor) { await self.keepLeases() }
      await claimRuns { run, activeLease in
        group.addTask { await self.drive(run, as: activeLease) }
      }
      stop()
      state.withLock { $0.isClosed = true }
      leaseWakeEvent.signal()
    }
    let (grace, failure) = state.withLock { state in
      state.isOver = true
      return (state.grace.take(), state.failure)
    }
    grace?.cancel()
    renewalThread?.end()
    return failure
  }

  /// Ends the renewal thread of a session that is not used, because another one works.
  func discard() {
    renewalThread?.end()
  }

  /// Ends the waits for the session's end: nothing is left to be done.
  func end() {
    ended.end(with: .success(()))
  }

  /// Waits until all work is over, also when the waiting task is cancelled.
  func waitUntilEnded() async {
    _ = await ended.outcome
  }
}

// MARK: Stopping

extension RunnerSession {
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Claims nothing more, and cuts short what is under way once the grace is over.
  func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    wakeEvent.signal()
    if options.shutdownGrace <= .zero { return endWork() }
    let deadline = time.uptime + options.shutdownGrace
    let grace = Task(executorPreference: options.executor) {
      do { try await self.time.sleep(untilUptime: deadline) } catch { return }
      self.endWork()
    }
    // All may have ended while the time was read: then no other code ends the grace, which keeps
    // the session and its journal.
    let isOver = state.withLock { state in
      if !state.isOver { state.grace = grace }
      return state.isOver
    }
    if isOver { grace.cancel() }
  }

  /// Until when a journal that can't be used is tried again, by uptime; nil for no bound but the lease.
  var lastTryAt: Duration? { state.withLock { $0.graceEndedAt }.map { $0 + Self.farewell } }

  /// How long runs are given back after the grace, while the journal can't be used.
  private static var farewell: Duration { .seconds(1) }

  /// Ends the grace of a shutdown that is under way.
  func endGrace() {
    if isStopping { endWork() }
  }

  /// Stops as the journal is of no use any more: nothing that the work comes to can be written.
  func fail(with error: JournalError) {
    state.withLock { $0.failure = $0.failure ?? error }
    stop()
    endWork()
  }

  private func endWork() {
    let now = time.uptime
    state.withLock { $0.graceEndedAt = $0.graceEndedAt ?? now }
    for activeLease in activeLeases { activeLease.end(.shutdown) }
  }
}

// MARK: What is held

extension RunnerSession {
  var activeLeases: [ActiveLease] { state.withLock { $0.activeLeases } }

  /// Cuts short the work on a run that was called off, unless it was claimed again since.
  func lose(_ id: RunID, upTo fence: Int) {
    for activeLease in activeLeases {
      let claim = activeLease.claim
      if claim.id == id, claim.fence <= fence { activeLease.end(.lost(.claimLost)) }
    }
  }

  func remove(_ activeLease: ActiveLease) {
    state.withLock { state in
      state.activeLeases.removeAll { $0 === activeLease }
      let count = state.active[activeLease.flow, default: 1] - 1
      state.active[activeLease.flow] = count == 0 ? nil : count
      state.unbegun.remove(activeLease.claim.id)
      _ = state.quarantine.leaveTrial(activeLease.claim.id)
    }
    leaseWakeEvent.signal()
    wakeEvent.signal()
  }

  /// What there is room for.
  var rooms: [ClaimRequest.FlowRoom] {
    let active = state.withLock { $0.active }
    if active.isEmpty { return allRooms }
    return allRooms.compactMap { room in
      var room = room
      room.limit -= active[room.flow, default: 0]
      return room.limit > 0 ? room : nil
    }
  }

  /// Takes in what was claimed at an uptime: from now on its leases are renewed.
  func take(
    _ claim: Claim, askedFor request: ClaimRequest, at uptime: Duration
  ) -> [ActiveLease] {
    let activeLeases = claim.runs.map { ActiveLease($0.record, lease: lease, beganAt: uptime) }
    state.withLock { state in
      state.quarantine.take(
        claim, askedFor: request.quarantine, wasIdle: state.isIdle,
        wasForAllFlows: request.flows.count == allRooms.count, at: uptime)
      for activeLease in activeLeases {
        state.active[activeLease.flow, default: 0] += 1
        state.unbegun.insert(activeLease.claim.id)
      }
      state.activeLeases += activeLeases
    }
    // A shutdown without grace may have gone through the activeLeases just before.
    if isStopping, options.shutdownGrace <= .zero {
      for activeLease in activeLeases { activeLease.end(.shutdown) }
    }
    if !activeLeases.isEmpty { leaseWakeEvent.signal() }
    return activeLeases
  }

  /// What to do about crash-suspected runs at an uptime.
  func turn(at uptime: Duration) -> QuarantineSchedule.Turn {
    state.withLock { $0.quarantine.turn(isIdle: $0.isIdle, at: uptime) }
  }

  /// Whether runs are given back after their stage, so that a group can be tried.
  var isDraining: Bool { state.withLock { $0.quarantine.isDraining } }

  /// Whether a group can be claimed at once.
  var isQuarantinesTurn: Bool { state.withLock { $0.quarantine.isTurn } }

  /// Lets others come in again, once the stages of the group that is tried are done.
  func leaveTrial(_ id: RunID) {
    let isOver = state.withLock { $0.quarantine.leaveTrial(id) }
    if isOver { wakeEvent.signal() }
  }

  func setClaimHeldUp(_ isHeldUp: Bool) { state.withLock { $0.isClaimHeldUp = isHeldUp } }

  /// Lets a claim that is held up look what else is due.
  func wakeHeldUpClaim() {
    if state.withLock({ $0.isClaimHeldUp }) { wakeEvent.signal() }
  }

  /// Whether the work of something that was claimed has not begun yet; the wakeEvent rings once all has.
  func awaitsBeginning() -> Bool {
    state.withLock { state in
      state.isClaimAwaitingBeginning = !state.unbegun.isEmpty
      return state.isClaimAwaitingBeginning
    }
  }

  /// The work of a run has begun.
  func begin(_ id: RunID) {
    let isAwaited = state.withLock { state in
      guard state.unbegun.remove(id) != nil, state.unbegun.isEmpty else { return false }
      return state.isClaimAwaitingBeginning
    }
    // Not each time: there would be a claim more for each that gave something.
    if isAwaited { wakeEvent.signal() }
  }

  /// Whether no lease is held and none ever will be.
  var hasNoMoreLeases: Bool { state.withLock { $0.isClosed && $0.activeLeases.isEmpty } }
}
