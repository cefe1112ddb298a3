import FieldstoneCore

/// The shell around the calls of one integrator: it starts their work and calls their handlers.
///
/// It is separate from ``Integrator``: work under way retains the coordinator, but not the
/// integrator. Only the coordinator calls handlers, one event at a time, and only from
/// ``settle(canDeliver:)``, when every state is consistent.
@MainActor
final class CallCoordinator {
  private struct Delivery {
    let call: AnyCall
    let event: CallEvent
  }

  let time: TimeSource
  /// The integrator and the type of its provider, which identify its activities for observers.
  var owner: ObjectIdentifier?
  /// Whether calls pass their parameters to observers of activities.
  var notesParameters = false
  /// The parameters of the last call that passed them.
  private(set) var lastParameters: (any Sendable)?
  private let origin: Any.Type
  private let errorHandlers: ErrorHandlers
  var defaultHandlers = [CallHandler]()
  /// The options of every call without options of its own.
  var defaults: CallOptions?

  private var schedule: CallSchedule
  private var flights: [Int: InFlightLoad] = [:]
  private var lastNumber = 0
  private var isReleased = false

  private var ledger = OptimisticState<any LoadedValue>()
  private var isApplyingChanges = false
  /// The values around each local change; nil unless they are noted.
  private var changeSteps: [ChangeStep]?
  private var changeObservers: Multicast<@MainActor (ChangeEvent) -> Void>?
  private var tracker: StateTracker?
  private var hasNewPhase = false

  private var deliveries: [Delivery] = []
  private var isDelivering = false
  private var isDeliveryScheduled = false

  init(rule: CallRule, origin: Any.Type, errorHandlers: ErrorHandlers, time: TimeSource) {
    schedule = CallSchedule(rule)
    self.origin = origin
    self.errorHandlers = errorHandlers
    self.time = time
  }

  var phase: LoadPhase<any LoadedValue> {
    let tracker = tracker ?? StateTracker()
    self.tracker = tracker
    tracker.noteAccess()
    return ledger.phase
  }
}

// MARK: Calls

extension CallCoordinator {
  func start(
    _ call: AnyCall, _ work: CallWork, key: (any Hashable & Sendable)?,
    parameters: (any Sendable)?, isCancelled: Bool
  ) {
    defer { settle(canDeliver: false) }
    if let parameters { lastParameters = parameters }
    call.follow(.make(.call, named: "\(origin)", owner: owner, parameters: parameters))
    if isReleased || isCancelled {
      end(call, with: .cancelled(isReleased ? .released : .caller))
      return
    }
    lastNumber += 1
    let key = key.map { AnyHashable($0) }
    if let key, work.delay > .zero {
      // It neither joins nor leads before its own delay is over.
      call.keep(work)
      let flight = makeFlight(work.shared)
      flight.key = key
      register(call, in: flight, waiting: true)
      return launch(flight, after: work.delay)
    }
    let (admission, superseded) = schedule.admit(lastNumber, key: key)
    switch admission {
    case .refuse:
      end(call, with: .cancelled(.busy))
    case .join(let leader):
      call.keep(work)
      flights[leader].map { join(call, $0) }
    case .queue:
      let flight = makeFlight(work)
      flight.deferWork()
      register(call, in: flight, waiting: true)
    case .run(let wait):
      // Calls with a key share only their load, not the options of one of them.
      if key != nil { call.keep(work) }
      let flight = makeFlight(key == nil ? work : work.shared)
      let wait = wait + work.delay
      register(call, in: flight, waiting: wait > .zero)
      let old = superseded.flatMap { flights[$0] }
      if let old { end(old, .superseded) }
      launch(flight, after: wait)
      old?.stopWork()
    }
  }

  func cancel(_ call: AnyCall, _ reason: CancellationReason) {
    guard let flight = call.load.flatMap({ flights[$0] }),
      end(call, with: .cancelled(reason))
    else { return }
    flight.noteLeft(call)
    if flight.isEmpty {
      retire(flight)
      flight.stopWork()
    }
    settle(canDeliver: false)
  }

  /// Cancels the call that observers of activities know by a number; O(calls under way).
  ///
  /// - Returns: whether there was one.
  func cancel(activity: Int, _ reason: CancellationReason) -> Bool {
    let call = flights.values.lazy.flatMap(\.calls).first { $0.activity == activity }
    guard let call else { return false }
    cancel(call, reason)
    return true
  }

  func cancelAll(_ reason: CancellationReason) {
    // Waiting flights are retired first, so that none starts in place of a cancelled one.
    let flights = flights.valuesInOrder
    let calls = flights.flatMap(\.calls)
    for flight in flights.reversed() { retire(flight) }
    for call in calls { end(call, with: .cancelled(reason)) }
    for flight in flights.reversed() { flight.stopWork() }
    settle(canDeliver: false)
  }

  /// Ends all calls because the integrator was deallocated.
  func release() {
    isReleased = true
    cancelAll(.released)
  }

  private func makeFlight(_ work: CallWork) -> InFlightLoad {
    let flight = InFlightLoad(lastNumber, work: work, tell: hear)
    flights[flight.number] = flight
    return flight
  }

  private func register(_ call: AnyCall, in flight: InFlightLoad, waiting: Bool) {
    flight.add(call)
    call.start(in: flight.number, waiting: waiting, cancel: cancelByCaller)
    if ledger.begin() { hasNewPhase = true }
  }

  private func join(_ call: AnyCall, _ flight: InFlightLoad) {
    register(call, in: flight, waiting: false)
    tellSoFar(of: flight, to: call)
  }

  /// Moves the calls of a flight whose delay is over to the load of the same key, if there is one.
  ///
  /// - Returns: whether there was one.
  private func joinLeader(_ flight: InFlightLoad, by key: AnyHashable) -> Bool {
    guard case .join(let number) = schedule.admit(flight.number, key: key).admission,
      let leader = flights[number]
    else { return false }
    for call in flight.calls where call.proceed() {
      leader.add(call)
      call.move(to: leader.number)
      tellSoFar(of: leader, to: call)
    }
    retire(flight)
    return true
  }

  private func tellSoFar(of flight: InFlightLoad, to call: AnyCall) {
    tell(call, .beginning)
    if let progress = flight.lastProgress { tell(call, .progress(progress)) }
    if let value = flight.lastEarlyValue { tell(call, .earlyValue(value)) }
  }

  private func launch(_ flight: InFlightLoad, after wait: Duration) {
    flight.launch(after: wait)
    guard flight.isRunning else { return }
    flight.revision = ledger.nextRevision()
    flight.forEachCall { tell($0, .beginning) }
  }

  private func end(_ flight: InFlightLoad, _ reason: CancellationReason) {
    for call in flight.calls { end(call, with: .cancelled(reason)) }
    retire(flight)
  }

  /// Removes a flight, and launches the one whose turn comes next.
  private func retire(_ flight: InFlightLoad) {
    guard flights.removeValue(forKey: flight.number) != nil else { return }
    flight.endNow()
    guard let next = schedule.ended(flight.number).flatMap({ flights[$0] }) else { return }
    let wait = next.delay
    if wait <= .zero { next.forEachCall { _ = $0.proceed() } }
    launch(next, after: wait)
  }

  @discardableResult
  private func end(_ call: AnyCall, with outcome: Outcome<any LoadedValue>) -> Bool {
    let wasCounted = call.isUnderWay
    guard call.end(with: outcome) else { return false }
    if wasCounted, ledger.end() { hasNewPhase = true }
    tell(call, .ended(outcome))
    return true
  }
}

// MARK: Reports of loads

extension CallCoordinator {
  private func cancelByCaller(_ call: AnyCall) { cancel(call, .caller) }

  private func hear(_ flight: InFlightLoad, _ news: InFlightLoad.News) {
    switch news {
    case .began: proceed(flight)
    case .reported(let event): report(event, from: flight)
    case .paused: settle(canDeliver: true)
    case .ended(let outcome): finish(flight, with: outcome)
    }
  }

  private func proceed(_ flight: InFlightLoad) {
    defer { settle(canDeliver: true) }
    if let key = flight.key.take(), joinLeader(flight, by: key) { return }
    flight.revision = ledger.nextRevision()
    flight.forEachCall { call in
      if call.proceed() { tell(call, .beginning) }
    }
  }

  private func report(_ event: CallEvent, from flight: InFlightLoad) {
    if case .earlyValue(let value) = event, ledger.takeEarly(value, revision: flight.revision) {
      baseChanged()
    }
    if case .retry(let retry) = event { flight.forEachCall { $0.noteRetry(retry) } }
    flight.forEachCall { tell($0, event) }
  }

  private func finish(_ flight: InFlightLoad, with outcome: Outcome<any LoadedValue>) {
    if !flight.isOver {
      var calls = flight.calls
      var goingOn: [(call: AnyCall, work: CallWork)] = []
      if case .failure(let error) = outcome {
        goingOn = calls.compactMap { call in call.ownWork.map { (call, $0.following(error)) } }
        if !goingOn.isEmpty { calls.removeAll { $0.ownWork != nil } }
      }
      switch outcome {
      case .success(let value):
        if ledger.take(value, revision: flight.revision) { baseChanged() }
      case .failure(let error):
        if !calls.allSatisfy({ $0.ignores(error) }) {
          ledger.take(error, revision: flight.revision)
        }
      case .cancelled: break
      }
      for call in calls { end(call, with: outcome) }
      retire(flight)
      for (call, work) in goingOn { goOn(call, with: work, from: flight.revision) }
    }
    settle(canDeliver: true)
  }
}

extension CallCoordinator {
  /// Continues a call alone after its shared load failed, with the revision of its first attempt.
  private func goOn(_ call: AnyCall, with work: CallWork, from revision: Int) {
    lastNumber += 1
    let flight = makeFlight(work)
    flight.add(call)
    call.move(to: flight.number)
    if let task = call.ownTask { flight.deferWork(in: task) }
    call.forgetOwnWork()
    flight.launch(after: .zero)
    flight.revision = revision
  }
}

// MARK: Local changes

extension CallCoordinator {
  func set(_ value: any LoadedValue) {
    guard !isApplyingChanges else { return }
    ledger.set(value)
    baseChanged()
    settle(canDeliver: false)
  }

  /// Adds a change; nil if there is no value to change, or within another change.
  func add(_ change: @escaping (inout any LoadedValue) -> Void) -> Int? {
    guard let base = ledger.base, var value = ledger.value, !isApplyingChanges else { return nil }
    let id = ledger.add(change)
    if changeSteps == nil {
      // Those before it need not be applied again.
      isApplyingChanges = true
      change(&value)
      isApplyingChanges = false
      hasNewPhase = true
      ledger.rebuilt(folding: 0, base: base, value: value)
    } else {
      baseChanged()
    }
    settle(canDeliver: false)
    tell(.updated(id))
    return id
  }

  func isPending(_ id: Int) -> Bool {
    ledger.isPending(id)
  }

  /// The number of the newest error, which local changes leave as it is.
  var errorCount: Int { ledger.errorCount }

  /// The number of changes that can still be confirmed or rolled back, and of confirmed ones that
  /// no loaded value includes yet.
  var changeCounts: (pending: Int, confirmed: Int) { ledger.changeCounts }

  func confirm(_ id: Int) {
    guard isPending(id), !isApplyingChanges else { return }
    ledger.confirm(id)
    if changeSteps == nil { foldConfirmed() } else { baseChanged() }
    settle(canDeliver: false)
    tell(.confirmed(id))
  }

  /// Makes the oldest changes, as far as they are confirmed, a part of the base; the value stays the
  /// same, so the others need not be applied again.
  private func foldConfirmed() {
    hasNewPhase = true
    guard var base = ledger.base, let value = ledger.value else { return }
    var folded = 0
    isApplyingChanges = true
    // One after the other: a copy of the changes would make the ledger copy all of them.
    while let change = ledger.changes.dropFirst(folded).first, change.confirmation != nil {
      change.apply(&base)
      folded += 1
    }
    isApplyingChanges = false
    if folded > 0 { ledger.rebuilt(folding: folded, base: base, value: value) }
  }

  func takeBack(_ id: Int) {
    guard isPending(id), !isApplyingChanges else { return }
    ledger.remove(id)
    baseChanged()
    settle(canDeliver: false)
    tell(.rolledBack(id))
  }

  /// Applies the changes to a copy, because they run users' code.
  private func baseChanged() {
    hasNewPhase = true
    let changes = ledger.changes
    if changes.isEmpty { changeSteps?.removeAll() }
    guard !changes.isEmpty, let base = ledger.base, !isApplyingChanges else { return }
    isApplyingChanges = true
    var (value, foldedBase, folded) = (base, base, 0)
    var steps: [ChangeStep] = []
    for (index, change) in changes.enumerated() {
      let old = value
      change.apply(&value)
      if changeSteps != nil {
        steps.append(
          ChangeStep(id: change.id, isConfirmed: change.confirmation != nil, old: old, new: value))
      }
      guard change.confirmation != nil, folded == index else { continue }
      (folded, foldedBase) = (index + 1, value)
    }
    isApplyingChanges = false
    if changeSteps != nil { changeSteps = Array(steps.dropFirst(folded).suffix(ChangeStep.limit)) }
    ledger.rebuilt(folding: folded, base: foldedBase, value: value)
  }
}

extension CallCoordinator {
  /// Observes local changes from now on, and notes the values around each.
  func observeChanges(_ body: @escaping @MainActor (ChangeEvent) -> Void) -> Registration {
    let observers = changeObservers ?? Multicast()
    changeObservers = observers
    changeSteps = changeSteps ?? []
    return observers.add(body)
  }

  /// The last local changes that no loaded value includes, the oldest first; empty unless they are
  /// observed.
  var notedChanges: [ChangeStep] { changeSteps ?? [] }

  private func tell(_ event: ChangeEvent) {
    changeObservers?.invokeEach { $0(event) }
  }
}

// MARK: Delivery

extension CallCoordinator {
  /// Queues an event for the handlers of a call.
  private func tell(_ call: AnyCall, _ event: CallEvent) {
    if case .beginning = event,
      !call.handlers.hearsBeginning, !defaultHandlers.hearsBeginning
    {
      return
    }
    deliveries.append(Delivery(call: call, event: event))
  }

  /// Calls the handlers for the queued events: at once, or after the caller has returned.
  func settle(canDeliver: Bool) {
    ActivityTrace.deliver()
    if hasNewPhase {
      hasNewPhase = false
      tracker?.changed()
    }
    if canDeliver { deliver() } else { scheduleDelivery() }
  }

  private func scheduleDelivery() {
    guard !deliveries.isEmpty, !isDelivering, !isDeliveryScheduled else { return }
    isDeliveryScheduled = true
    MainDispatch.async {
      self.isDeliveryScheduled = false
      self.deliver()
    }
  }

  private func deliver() {
    // A handler that runs a run loop lets other jobs in; they must not overtake. A `DeliveryLine`
    // is not needed: on one actor a whole batch is taken at once (benchmark `call-1000`).
    guard !isDelivering else { return }
    isDelivering = true
    let batch = deliveries
    deliveries = []
    for delivery in batch { deliver(delivery) }
    isDelivering = false
    // What handlers have added is a turn of its own, so that other work of the main actor comes in
    // between: a handler may start a call that ends at once, whose handler starts another.
    scheduleDelivery()
  }

  private func deliver(_ delivery: Delivery) {
    let (call, event) = (delivery.call, delivery.event)
    let (handlers, options) = (call.handlers, call.options)
    guard case .ended(let outcome) = event else {
      defaultHandlers.hear(event)
      return handlers.hear(event)
    }
    call.forget()
    call.noteEnd()
    if case .failure(let error) = outcome {
      if options?.ignores(error) != true {
        defaultHandlers.hear(event)
        handlers.hear(event)
        if options?.values.sharesErrors != false { errorHandlers.handle(error) }
      }
    } else {
      defaultHandlers.hear(event)
      handlers.hear(event)
    }
    defaultHandlers.hearCompletion(outcome)
    handlers.hearCompletion(outcome)
    options?.values.nexts?.start(after: outcome)
  }
}
