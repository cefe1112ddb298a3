public import FieldstoneCore

extension ReadableField {
  /// Calls a closure at once with the current value, and again with each change.
  ///
  /// After the registration has ended, the field releases the closure when it is used next. A
  /// closure that captures its own field, or an owner of it, should capture it unowned: otherwise
  /// the two keep each other alive.
  ///
  /// - Parameters:
  ///   - everySet: whether the closure is also called when an equal value is set.
  ///   - body: called on registration and for each change, where the field lives.
  /// - Returns: the registration; keep it as long as the closure is to be called.
  @inlinable
  public final func observe(
    everySet: Bool = false, _ body: @escaping (Change) -> Void
  ) -> Registration {
    let registration = register(FieldObserver(owner: nil, hear: body), everySet: everySet)
    body(registrationChange)
    return registration
  }

  /// Calls a closure with the current value and with each change, as long as the owner lives.
  ///
  /// An owner can have any number of closures. The field holds it weakly, so the closure should use
  /// the owner that it is passed, and not capture it.
  ///
  /// - Parameters:
  ///   - owner: the object that the closure belongs to; its deallocation ends the observation.
  ///   - everySet: whether the closure is also called when an equal value is set.
  ///   - body: called on registration and for each change, where the field lives.
  @inlinable
  public final func observe<Owner: AnyObject>(
    owner: Owner, everySet: Bool = false, _ body: @escaping (Owner, Change) -> Void
  ) {
    let observer = FieldObserver<Value>(owner: ObjectIdentifier(owner)) { [weak owner] change in
      guard let owner else { return DeliveryContext.noteOwnerIsGone() }
      if change.isProbe { return }
      body(owner, change)
    }
    add(observer, everySet: everySet)
    body(owner, registrationChange)
  }

  /// Calls a closure now and with each change as long as the field lives: `field --> { value in …
  /// }`.
  @inlinable
  final func observeForGood(_ body: @escaping (Value?) -> Void) {
    add(FieldObserver(owner: nil) { body($0.new) })
    body(registrationChange.new)
  }

  /// Removes all observations of an owner, and the binding to it if it is a target.
  ///
  /// O(n) in the number of observers.
  public final func removeObserver(_ owner: AnyObject) {
    let identifier = ObjectIdentifier(owner)
    observers?._withUnsafeGuaranteedRef { observers in
      observers.removeNodes { $0.callback.owner == identifier }
    }
  }

  /// Removes all observations and all bindings of this field as a source.
  ///
  /// Rules of other fields, observers of its validity, and its form continue to follow it.
  public final func removeAllObservers() {
    observers?._withUnsafeGuaranteedRef { observers in
      observers.removeNodes { $0.kind & FieldObserver<Value>.rules == 0 }
    }
  }

  /// The number of observers, bindings and other fields' rules that follow this field.
  ///
  /// Those with a deallocated owner count until the next delivery, or until there are twice as many.
  public final var observerCount: Int { observers?._withUnsafeGuaranteedRef { $0.count } ?? 0 }

  /// Calls a closure whenever the phase changes: loading begins, fails, or ends.
  ///
  /// Phases are delivered as values are: in the order of the changes, and once at the end of a batch
  /// that leaves another phase.
  ///
  /// - Returns: the registration; keep it as long as the closure is to be called.
  public final func observePhase(
    _ body: @escaping (LoadPhase<Value?>) -> Void
  ) -> Registration {
    let details = ensureDetails()
    let observers = details.phaseObservers ?? PhaseObservers()
    details.phaseObservers = observers
    flags.insert(.hasFollowers)
    return observers.list.add { phase in
      if let phase = phase as? LoadPhase<Value?> { body(phase) }
    }
  }

  /// Adds an observer that a registration removes.
  @usableFromInline
  final func register(_ observer: FieldObserver<Value>, everySet: Bool) -> Registration {
    let node = ObserverNode(
      skippingWhatWaits(observer, inBatch: true), kind: kind(everySet: everySet))
    let registration = ensureObservers().add(node)
    noteNewcomer(node)
    return registration
  }

  /// Adds an observer that stays as long as the field and the observer's owner live.
  ///
  /// - Parameter isBinding: whether it sets a field, which a transaction may roll back by itself.
  @usableFromInline
  final func add(
    _ observer: FieldObserver<Value>, everySet: Bool = false, isBinding: Bool = false
  ) {
    addForGood(
      skippingWhatWaits(observer, inBatch: !isBinding), kind: kind(everySet: everySet),
      isBinding: isBinding)
  }

  /// Adds an observer that belongs to rules; no outside code removes it.
  final func addForRules(_ observer: FieldObserver<Value>, isOwned: Bool) {
    let owned = isOwned ? FieldObserver<Value>.owned : 0
    addForGood(skippingWhatWaits(observer), kind: FieldObserver<Value>.rules | owned)
  }

  /// Calls a closure of a form with every set; no outside code removes it.
  ///
  /// - Parameter body: called with the origin, the field's revision after the set, and the field at
  ///   which its wave of bindings began.
  package final func observeForForm(
    _ body: @escaping (ChangeOrigin, _ revision: Int, _ root: ObjectIdentifier?) -> Void
  ) {
    flags.insert(.hasEverySet)
    addForGood(
      skippingWhatWaits(
        FieldObserver(owner: nil) { body($0.origin, $0.revision, $0.wave.root) }),
      kind: FieldObserver<Value>.form)
  }

  /// Adds an observer that no registration removes.
  final func addForGood(_ observer: FieldObserver<Value>, kind: UInt8, isBinding: Bool = false) {
    let node = ObserverNode(observer, kind: kind)
    let observers = ensureObservers()
    if observers.count >> observerLimit != 0 { removeOrphans(of: observers) }
    observers.addForGood(node)
    noteNewcomer(node, isBinding: isBinding)
  }

  /// Removes observers whose owner is deallocated, without a delivery.
  ///
  /// It is due when there are twice as many observers as were left the last time: O(1) amortised.
  private func removeOrphans(of observers: Multicast<FieldObserver<Value>>) {
    observers.removeNodes { !isOwnerAlive(of: $0) }
    observerLimit = UInt8(max(5, Int.bitWidth - (2 * observers.count).leadingZeroBitCount))
  }

  private func isOwnerAlive(of node: ObserverNode<FieldObserver<Value>>) -> Bool {
    let observer = node.callback
    if node.kind == FieldObserver<Value>.binding {
      guard let address = observer.owner,
        let target = FieldTarget.retain(address, keptBy: observer.target)
      else { return false }
      target.release()
      return true
    }
    guard observer.owner != nil || node.kind & FieldObserver<Value>.owned != 0 else { return true }
    observer.hear(.probe)
    let context = DeliveryContext.current
    defer { context.isOwnerGone = false }
    return !context.isOwnerGone
  }

  /// Corrects an observer that registers inside a batch, if the batch ends with another value that is
  /// not delivered, or is rolled back.
  ///
  /// The observer has received another value, or has set a field that was rolled back as well.
  private func noteNewcomer(_ node: ObserverNode<FieldObserver<Value>>, isBinding: Bool = false) {
    guard DeliveryContext.current.isRecording else { return }
    bringUpToDate()
    let (heard, wasKnown) = (storage, isKnown)
    DeliveryContext.current.recordNewcomer { [weak self] in
      guard let self else { return }
      observers?._withUnsafeGuaranteedRef { $0.takeUpEnded() }
      guard node.isLive else { return }
      bringUpToDate()
      // A value that was just recomputed is delivered anyway.
      // The target of a binding may have been rolled back by itself.
      let isUncertain = isBinding && DeliveryContext.current.isTakingBack
      if !hasWaitingChanges, isUncertain || wasKnown != isKnown || !isSame(heard, storage) {
        correct(node, who: heard, isBinding: isBinding)
      }
      noteNewcomer(node, isBinding: isBinding)
    }
  }

  /// Passes the value that a rollback has restored to an observer that received another one.
  private func correct(
    _ node: ObserverNode<FieldObserver<Value>>, who heard: Value?, isBinding: Bool
  ) {
    // A value that is no longer known is not passed on.
    if isBinding, !isKnown { return }
    let change = Change(
      old: heard, new: storage, origin: .restoring, revision: revision,
      wave: wave(beginningAt: updateStamp))
    guard let observers else { return }
    observers._withUnsafeGuaranteedRef {
      hand(change, isChange: true, to: node, of: $0, in: .current)
    }
  }

  final func ensureObservers() -> Multicast<FieldObserver<Value>> {
    if let observers { return observers.takeUnretainedValue() }
    let made = Multicast<FieldObserver<Value>>()
    observers = .passRetained(made)
    return made
  }

  /// The change with which a new observer is called first.
  @usableFromInline
  final var registrationChange: Change {
    bringUpToDate()
    return Change(
      old: storage, new: storage, origin: .registration, revision: revision,
      wave: FieldWave(root: ObjectIdentifier(self), systemStamp: .nan))
  }

  /// Skips the queued changes, which are older than the value that a new observer receives first.
  ///
  /// - Parameter inBatch: whether to skip those of the open batch, too. Bindings take them, as their
  ///   targets may be rolled back by themselves.
  private func skippingWhatWaits(
    _ observer: FieldObserver<Value>, inBatch: Bool = false
  ) -> FieldObserver<Value> {
    guard hasWaitingChanges || inBatch && DeliveryContext.current.isRecording else {
      return observer
    }
    let (known, hear) = (revision, observer.hear)
    return FieldObserver(owner: observer.owner) {
      if $0.revision > known || $0.isProbe { hear($0) }
    }
  }

  private func kind(everySet: Bool) -> UInt8 {
    guard everySet else { return FieldObserver<Value>.changesOnly }
    flags.insert(.hasEverySet)
    return FieldObserver<Value>.everySet
  }
}
