import FieldstoneCore

// A binding is added before the target gets its first value: an observer of the target may set the
// source, which has to reach the target.

extension ReadableField {
  /// Sets a field to this one's value, now and with each change, as long as both live.
  ///
  /// A field that is not known yet sets the target once it is. The target is held weakly. A value
  /// that returns to the field where it began is dropped, so fields can be bound in circles. A batch
  /// should set only one field of a circle: several values would pass each other, and stay apart.
  @inlinable
  public final func bind(to target: Field<Value>) {
    let change = registrationChange
    lead(target)
    if isKnown { target.receive(change.new, of: change) }
  }

  /// Sets a field with each change, and now if the values differ.
  ///
  /// It is the way back of a two-way binding, where an equal value is an echo.
  @inlinable
  final func bindBack(to target: Field<Value>) {
    let change = registrationChange
    lead(target)
    if isKnown, !target.isKnown || !isSame(target.storage, change.new) {
      target.receive(change.new, of: change)
    }
  }

  @inlinable
  final func lead(_ target: Field<Value>) {
    if !hasWaitingChanges { return addBinding(to: target) }
    // Rare: only a closure can skip the queued changes.
    let identifier = ObjectIdentifier(target)
    add(
      FieldObserver(owner: identifier) { [weak target] change in
        // A change that returns to its root is an echo: no need to load the weak reference.
        if change.wave.root == identifier { return }
        guard let target else { return DeliveryContext.noteOwnerIsGone() }
        if change.isProbe { return }
        target.receive(change.new, of: change)
      }, isBinding: true)
  }

  /// Passes the value to an observer, now and with each change, as long as both live.
  public final func bind(to target: some ValueObserver<Value>) {
    if let field = target as? Field<Value> { return bind(to: field) }
    let change = registrationChange
    lead(target)
    target.receive(change.new)
  }

  /// Passes the value to an observer with each change from now on.
  final func lead(_ target: some ValueObserver<Value>) {
    add(
      FieldObserver(owner: ObjectIdentifier(target)) { [weak target] change in
        guard let target else { return DeliveryContext.noteOwnerIsGone() }
        if change.isProbe { return }
        target.receive(change.new)
      })
  }

  /// Sets a field of another type to the converted value, now and with each change.
  ///
  /// - Parameters:
  ///   - target: the field to set; it is held weakly.
  ///   - convert: makes a value for the target; nil sets it to nil.
  @inlinable
  public final func bind<Other>(
    to target: Field<Other>, converting convert: @escaping (Value) -> Other?
  ) {
    let change = registrationChange
    add(
      FieldObserver(owner: ObjectIdentifier(target)) { [weak target] change in
        guard let target else { return DeliveryContext.noteOwnerIsGone() }
        if change.isProbe { return }
        target.receive(change.new.flatMap(convert), of: change)
      }, isBinding: true)
    if isKnown { target.receive(change.new.flatMap(convert), of: change) }
  }
}

extension Field {
  /// Takes the value of a source's change.
  @inlinable
  final func receive<Other>(_ value: Value?, of change: ReadableField<Other>.Change) {
    // A change that returns to its root is an echo, and may be older than the current value.
    if change.wave.root == ObjectIdentifier(self) { return }
    let stamp = stamp(of: change.wave)
    DeliveryContext.withCurrent { context in
      if isEcho(value, in: context) { return }
      store(value, origin: .binding, wave: change.wave, stamp: stamp, in: context)
    }
  }
}
