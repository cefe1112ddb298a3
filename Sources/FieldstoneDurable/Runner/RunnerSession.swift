import FieldstoneCore
import Foundation

/// A runner at work, from `run()` to its end.
///
/// Only the stages' work is ever cancelled here: the driver of a run must still be able to give it
/// back.
final class RunnerSession: Sendable {
  private struct State {
    var isStopping = false
    /// No more runs will be claimed.
    var isClosed = false
    /// All work has ended.
    var isOver = false
    /// In the order of their claims, so that actions on all of them are reproducible.
    var activeLeases: [ActiveLease] = []
    /// The number of held runs of each flow; a flow without any is omitted.
    var active: [String: Int] = [:]
    var quarantine: QuarantineSchedule
    /// The claimed runs whose work has not begun.
    var unbegun: Set<RunID> = []
    /// Whether the next claim waits for them.
    var isClaimAwaitingBeginning = false
    /// Whether claims wait for room, or for the end of a trial.
    var isClaimHeldUp = false
    var grace: Task<Void, Never>?
    /// The journal left a call without an answer, and has answered none since.
    var isJournalSilent = false
    /// The error that made the journal unusable for good.
    var failure: (any Error)?

    var isIdle: Bool { active.isEmpty }
  }

  let journal: any Journal
  let flows: [String: DurableFlow]
  let time: TimeSource
  let options: DurableRunnerOptions
  let news: RunChangeNotifier
  let requests: RunRequests
  let lease: Duration
  let reports: ReportQueue
  /// The wall-clock time at which the session was made.
  let startedAt: Date
  /// Signalled when there may be something to claim, or room for it.
  let wakeEvent = WakeEvent()
  /// Signalled when there may be a lease to watch, or no more leases.
  let leaseWakeEvent = WakeEvent()
  /// Where leases are renewed.
  let renewalExecutor: any TaskExecutor
  /// Cancels the work of lost runs; nil to cancel where the loss is detected.
  let cancellations: DispatchQueue?
  /// Tells what the renewal thread has noticed; nil to tell it there.
  private let renewalEvents: DispatchQueue?
  /// Decodes what the renewal thread claims; nil to decode it there.
  let decodings: DispatchQueue?
  let executorWatch: Locked<ExecutorWatch>
  /// The rooms while no run is held: made once, because there may be a thousand flows.
  private let allRooms: [ClaimRequest.FlowRoom]
  private let renewalThread: RenewalThread?
  private let state: Locked<State>
  private let ended = OutcomePromise<Void>()
  /// Ends with the uptime at which the work in progress is cut short.
  private let graceEnded = OutcomePromise<Duration>()

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
    reports = ReportQueue(limits: journal.limits, time: time)
    startedAt = time.now
    // At most 300 years, so that no multiple of it overflows.
    lease = min(
      max(.milliseconds(1), options.lease ?? journal.clock.defaultLease), .seconds(10_000_000_000))
    let maximumHeldUpLeases = min(max(1, options.maximumHeldUpLeases), 1_000_000)
    executorWatch = Locked(ExecutorWatch(lease: lease, patience: lease * maximumHeldUpLeases))
    if let executor = options.renewalExecutor {
      renewalThread = nil
      renewalExecutor = executor
      cancellations = nil
      renewalEvents = nil
      decodings = nil
    } else {
      let thread = RenewalThread(name: "fieldstone.renewals")
      renewalThread = thread
      renewalExecutor = thread
      cancellations = DispatchQueue(label: "fieldstone.cancellations", qos: .userInitiated)
      renewalEvents = DispatchQueue(label: "fieldstone.events", qos: .userInitiated)
      decodings = DispatchQueue(label: "fieldstone.decodings", qos: .userInitiated)
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

  /// Emits an event from the renewal thread on a queue, so that a slow handler delays no renewal.
  func emitAside(_ kind: RunnerEvent.Kind) {
    guard let renewalEvents else { return emit(kind) }
    renewalEvents.async { self.emit(kind) }
  }

  /// Works until it is stopped, or the journal fails for good.
  ///
  /// - Returns: the journal's error in that case.
  func work() async -> (any Error)? {
    let wakeUps = (journal as? any WakeUpSource)?.onWakeUp { [wakeEvent] in wakeEvent.signal() }
    defer { wakeUps?.cancel() }
    await withDiscardingTaskGroup { group in
      group.addTask(executorPreference: renewalExecutor) { await self.keepLeases() }
      group.addTask { await self.keepReports() }
      await claimRuns { run, activeLease in
        group.addTask { await self.drive(run, as: activeLease) }
      }
      stop()
      state.withLock { $0.isClosed = true }
      leaseWakeEvent.signal()
      reports.wakeEvent.signal()
    }
    let (grace, failure) = state.withLock { state in
      state.isOver = true
      return (state.grace.take(), state.failure)
    }
    grace?.cancel()
    renewalThread?.end()
    // No event comes after the end.
    if let renewalEvents {
      await withCheckedContinuation { end in renewalEvents.async { end.resume() } }
    }
    return failure
  }

  /// Ends the renewal thread of an unused session, because another session works.
  func discard() {
    renewalThread?.end()
  }

  /// Ends the waits for the session's end: all work is over.
  func end() {
    ended.end(with: .success(()))
  }

  /// Waits until all work is over, even if the waiting task is cancelled.
  func waitUntilEnded() async {
    _ = await ended.outcome
  }
}

// MARK: Stopping

extension RunnerSession {
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Stops claiming, and cuts the work in progress short when the grace is over.
  func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    wakeEvent.signal()
    if options.shutdownGrace <= .zero { return endWork() }
    let deadline = time.uptime + options.shutdownGrace
    let task = Task(executorPreference: options.executor) {
      do { try await self.time.sleep(untilUptime: deadline) } catch { return }
      self.endWork()
    }
    // All work may have ended while the time was read. Then only this ends the timer, which retains
    // the session and its journal.
    let isOver = state.withLock { state in
      if !state.isOver { state.grace = task }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  /// The uptime until which an unavailable journal is retried; nil for no bound except the lease.
  ///
  /// - Parameter uptime: that of the first try. Work that ignores its cancellation may return long
  ///   after the grace, and has its second then.
  func lastTryAt(since uptime: Duration) -> Duration? {
    graceEnded.current?.value.map { max($0, uptime) + Self.farewell }
  }

  /// How long the journal has for an answer after the grace, and for being available again.
  private static var farewell: Duration { .seconds(1) }

  /// Ends the grace of a shutdown in progress.
  func endGrace() {
    if isStopping { endWork() }
  }

  /// Stops because the journal is unusable for good, or can't have the limits of a flow.
  func fail(with error: any Error) {
    state.withLock { $0.failure = $0.failure ?? error }
    stop()
    endWork()
  }

  private func endWork() {
    graceEnded.end(with: .success(time.uptime))
    for activeLease in activeLeases { activeLease.end(.shutdown) }
  }

  /// The journal did not answer in the second that a call has after the grace of a shutdown.
  struct FarewellEnded: DescribedError {
    let message = "The journal did not answer within a second during a shutdown."
  }

  /// The journal's answer to a call; after the grace of a shutdown, only within a second.
  ///
  /// A journal may wait for another process for longer. The call goes on alone then. Each call has
  /// a second of its own: a session lasts until all work has returned, minutes perhaps.
  ///
  /// - Throws: the error of the call; ``FarewellEnded``.
  func answer<Value: Sendable>(
    on executor: (any TaskExecutor)? = nil, to call: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard isStopping else { return try await call() }
    let executor = executor ?? options.executor
    let beganAt = time.uptime
    let answer = OutcomePromise<Value>()
    Task(executorPreference: executor) { answer.end(with: await Outcome(running: call)) }
    let bound = Task(executorPreference: executor) {
      guard let graceEndedAt = try? await self.graceEnded.value else { return }
      let end = max(beganAt, graceEndedAt) + Self.farewell
      do { try await self.time.sleep(untilUptime: end) } catch { return }
      answer.end(with: .failure(FarewellEnded()))
    }
    let outcome = await answer.outcome
    bound.cancel()
    // Its timer must not outlive the session.
    await bound.value
    let isSilent = outcome.error is FarewellEnded
    state.withLock { $0.isJournalSilent = isSilent }
    return try outcome.get()
  }

  /// Whether the journal left the last call of a shutdown without an answer.
  var isJournalSilent: Bool { state.withLock { $0.isJournalSilent } }
}

// MARK: Held runs

extension RunnerSession {
  var activeLeases: [ActiveLease] { state.withLock { $0.activeLeases } }

  /// Cuts short the work on a cancelled run, unless it was claimed again since.
  func lose(_ id: RunID, upTo fence: Int) {
    for activeLease in activeLeases {
      let claim = activeLease.claim
      if claim.id == id, claim.fence <= fence { activeLease.end(.lost(.claimLost)) }
    }
  }

  func remove(_ activeLease: ActiveLease) {
    reports.close(
      PendingReports.Claim(activeLease.claim), isGivenBack: activeLease.isGivenBack)
    let isLast = state.withLock { state in
      state.activeLeases.removeAll { $0 === activeLease }
      let count = state.active[activeLease.flow, default: 1] - 1
      state.active[activeLease.flow] = count == 0 ? nil : count
      state.unbegun.remove(activeLease.claim.id)
      _ = state.quarantine.leaveTrial(activeLease.claim.id)
      return state.isClosed && state.activeLeases.isEmpty
    }
    leaseWakeEvent.signal()
    if isLast { reports.wakeEvent.signal() }
    wakeEvent.signal()
  }

  /// The rooms for claims, by flow.
  var rooms: [ClaimRequest.FlowRoom] {
    let active = state.withLock { $0.active }
    if active.isEmpty { return allRooms }
    return allRooms.compactMap { room in
      var room = room
      room.limit -= active[room.flow, default: 0]
      return room.limit > 0 ? room : nil
    }
  }

  /// Takes claimed runs in; from now on their leases are renewed.
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
    // A shutdown without grace may have ended the other leases just before.
    if isStopping, options.shutdownGrace <= .zero {
      for activeLease in activeLeases { activeLease.end(.shutdown) }
    }
    if !activeLeases.isEmpty { leaseWakeEvent.signal() }
    return activeLeases
  }

  /// The next step for crash-suspected runs at an uptime.
  func turn(at uptime: Duration) -> QuarantineSchedule.Turn {
    state.withLock { $0.quarantine.turn(isIdle: $0.isIdle, at: uptime) }
  }

  /// When the turn of a group begins, if other runs have priority now.
  var nextTurnAt: Duration? { state.withLock { $0.quarantine.nextTurnAt } }

  /// Whether runs are given back after their stage, so that a group can be tried.
  var isDraining: Bool { state.withLock { $0.quarantine.isDraining } }

  /// Whether a group can be claimed at once.
  var isQuarantinesTurn: Bool { state.withLock { $0.quarantine.isTurn } }

  /// Allows other claims again once the stages of the group on trial are done.
  func leaveTrial(_ id: RunID) {
    let isOver = state.withLock { $0.quarantine.leaveTrial(id) }
    if isOver { wakeEvent.signal() }
  }

  func setClaimHeldUp(_ isHeldUp: Bool) { state.withLock { $0.isClaimHeldUp = isHeldUp } }

  /// Makes a claim that is held up check for other due runs.
  func wakeHeldUpClaim() {
    if state.withLock({ $0.isClaimHeldUp }) { wakeEvent.signal() }
  }

  /// Whether the work of a claimed run has not begun yet; `wakeEvent` is signalled once all has.
  func awaitsBeginning() -> Bool {
    state.withLock { state in
      state.isClaimAwaitingBeginning = !state.unbegun.isEmpty
      return state.isClaimAwaitingBeginning
    }
  }

  /// Notes that the work of a run has begun.
  func begin(_ id: RunID) {
    let isAwaited = state.withLock { state in
      guard state.unbegun.remove(id) != nil, state.unbegun.isEmpty else { return false }
      return state.isClaimAwaitingBeginning
    }
    // Not each time: that would cause one more claim for each claim that gave a run.
    if isAwaited { wakeEvent.signal() }
  }

  /// Whether no lease is held and none will ever be.
  var hasNoMoreLeases: Bool { state.withLock { $0.isClosed && $0.activeLeases.isEmpty } }
}
