public import FieldstoneCore

extension ReadableField {
  /// Calls a closure at once with the value as it is, and again with each change.
  ///
  /// The field lets go of the closure when it is used next after the registration has ended. A
  /// closure that captures its own field, or what holds it, should capture it unowned: otherwise
  /// the two keep each other alive.
  ///
  /// - Parameters:
  ///   - everySet: whether sets of equal values are heard, too.
  ///   - body: called on registration and for each change, where the field lives.
  /// - Returns: the registration, to keep as long as the closure shall be called.
  @inlinable
  public final func observe(
    everySet: Bool = false, _ body: @escaping (Change) -> Void
  ) -> Registration {
    let registration = register(FieldObserver(owner: nil, hear: body), everySet: everySet)
    body(registrationChange)
    return registration
  }

  /// Calls a closure at once with the value as it is, and again with each change, as long as the
  /// owner lives.
  ///
  /// Any number of closures can have the same owner. The field holds the owner weakly, so the
  /// closure should use the one that it is handed, and not capture it.
  ///
  /// - Parameters:
  ///   - owner: the object that the closure belongs to; its release ends the observation.
  ///   - everySet: whether sets of equal values are heard, too.
  ///   - body: called on registration and for each change, where the field lives.
  @inlinable
  public final func observe<Owner: AnyObject>(
    owner: Owner, everySet: Bool = false, _ body: @escaping (Owner, Change) -> Void
  ) {
    let observer = FieldObserver<Value>(owner: ObjectIdentifier(owner)) { [weak owner] change in
      guard let owner else { return DeliveryContext.noteOwnerIsGone() }
      body(owner, change)
    }
    add(observer, everySet: everySet)
    body(owner, registrationChange)
  }

  /// Calls a closure with each change as long as the field lives; `field --> { value in … }`.
  @inlinable
  final func observeForGood(_ body: @escaping (Value?) -> Void) {
    add(FieldObserver(owner: nil) { body($0.new) })
    body(registrationChange.new)
  }

  /// Ends all observations of an owner, and the binding to it where it is a target.
  ///
  /// O(n) in the number of observers.
  public final func removeObserver(_ owner: AnyObject) {
    let identifier = ObjectIdentifier(owner)
    observers?._withUnsafeGuaranteedRef { observers in
      observers.removeNodes { $0.callback.owner == identifier }
    }
  }

  /// Ends all observations and all bindings that have this field as their source.
  ///
  /// Rules of other fields go on looking at it, observers of its validity hear of that, and its
  /// form goes on following it.
  public final func removeAllObservers() {
    observers?._withUnsafeGuaranteedRef { observers in
      observers.removeNodes { $0.kind & FieldObserver<Value>.rules == 0 }
    }
  }

  /// How many observers, bindings and rules of other fields hear this field; those whose owners
  /// have died count until the next delivery.
  public final var observerCount: Int { observers?._withUnsafeGuaranteedRef { $0.count } ?? 0 }

  /// Calls a closure whenever the phase has changed: loading begins, fails, or ends.
  ///
  /// - Returns: the registration, to keep as long as the closure shall be called.
  public final func observePhase(
    _ body: @escaping (LoadPhase<Value?>) -> Void
  ) -> Registration {
    let details = ensureDetails()
    let observers = details.stateObservers ?? Multicast()
    details.stateObservers = observers
    flags.insert(.hasFollowers)
    return observers.add { [unowned self] in body(phase) }
  }

  /// Adds an observer that a registration removes again.
  @usableFromInline
  final func register(_ observer: FieldObserver<Value>, everySet: Bool) -> Registration {
    let node = ObserverNode(skippingWhatWaits(observer), kind: kind(everySet: everySet))
    let registration = ensureObservers().add(node)
    noteNewcomer(node)
    return registration
  }

  /// Adds an observer that stays as long as the field and its owner.
  ///
  /// - Parameter isBinding: whether it sets a field, which a transaction may take back by itself.
  @usableFromInline
  final func add(
    _ observer: FieldObserver<Value>, everySet: Bool = false, isBinding: Bool = false
  ) {
    addForGood(skippingWhatWaits(observer), kind: kind(everySet: everySet), isBinding: isBinding)
  }

  /// Adds an observer that belongs to rules; no code outside removes it.
  final func addForRules(_ observer: FieldObserver<Value>) {
    addForGood(skippingWhatWaits(observer), kind: FieldObserver<Value>.rules)
  }

  /// Calls a closure of a form with the origin of every set; no code outside removes it.
  package final func observeForForm(_ body: @escaping (ChangeOrigin) -> Void) {
    flags.insert(.hasEverySet)
    addForGood(
      skippingWhatWaits(FieldObserver(owner: nil) { body($0.origin) }),
      kind: FieldObserver<Value>.form)
  }

  /// Adds an observer that no registration removes again.
  final func addForGood(_ observer: FieldObserver<Value>, kind: UInt8, isBinding: Bool = false) {
    let node = ObserverNode(observer, kind: kind)
    ensureObservers().addForGood(node)
    noteNewcomer(node, isBinding: isBinding)
  }

  /// Lets an observer that comes inside a transaction hear the value that is there when that is
  /// taken back: it has heard another one, or has set a field that was taken back as well.
  private func noteNewcomer(_ node: ObserverNode<FieldObserver<Value>>, isBinding: Bool = false) {
    guard DeliveryContext.current.isRecording else { return }
    bringUpToDate()
    let (heard, wasKnown) = (storage, isKnown)
    DeliveryContext.current.recordNewcomer { [weak self] in
      guard let self else { return }
      observers?._withUnsafeGuaranteedRef { $0.takeUpEnded() }
      guard node.isLive else { return }
      bringUpToDate()
      // What was computed anew just now is delivered by itself.
      if !hasWaitingChanges, isBinding || wasKnown != isKnown || !isSame(heard, storage) {
        correct(node, who: heard, isBinding: isBinding)
      }
      noteNewcomer(node, isBinding: isBinding)
    }
  }

  /// Hands the value that a transaction has restored to an observer that heard another one.
  private func correct(
    _ node: ObserverNode<FieldObserver<Value>>, who heard: Value?, isBinding: Bool
  ) {
    // What is not known any more is not handed on.
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

  /// The first change that a new observer gets.
  @usableFromInline
  final var registrationChange: Change {
    bringUpToDate()
    return Change(
      old: storage, new: storage, origin: .registration, revision: revision,
      wave: FieldWave(root: ObjectIdentifier(self), systemStamp: .nan))
  }

  /// Changes that wait for delivery are older than what a new observer hears first.
  private func skippingWhatWaits(_ observer: FieldObserver<Value>) -> FieldObserver<Value> {
    guard hasWaitingChanges else { return observer }
    let (known, hear) = (revision, observer.hear)
    return FieldObserver(owner: observer.owner) { if $0.revision > known { hear($0) } }
  }

  private func kind(everySet: Bool) -> UInt8 {
    guard everySet else { return FieldObserver<Value>.changesOnly }
    flags.insert(.hasEverySet)
    return FieldObserver<Value>.everySet
  }
}
