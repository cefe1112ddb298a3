import FieldstoneCore

extension ReadableField {
  /// Sets a field to this one's value, now and with each change, as long as both live.
  ///
  /// A field of which nothing is known yet hands on nothing until it is. The target is held
  /// weakly. A value that comes back to the field it came from is dropped, so fields can be bound
  /// in circles.
  public final func bind(to target: Field<Value>) {
    if isKnown { target.receive(storage, wave: registrationChange.wave) }
    follow(by: target)
  }

  /// Sets a field with each change, and now if it has another value: the way back of a binding
  /// both ways, on which an equal value is an echo.
  final func bindBack(to target: Field<Value>) {
    if isKnown, !target.isKnown || target.storage != storage {
      target.receive(storage, wave: registrationChange.wave)
    }
    follow(by: target)
  }

  private func follow(by target: Field<Value>) {
    let observer = skippingWhatWaits(
      FieldObserver(owner: ObjectIdentifier(target)) { [weak target] change in
        guard let target else { return false }
        target.receive(change.new, wave: change.wave)
        return true
      })
    ensureObservers().addForGood(observer, kind: FieldObserver<Value>.changesOnly)
  }

  /// Hands the value to an observer, now and with each change, as long as both live.
  public final func bind(to target: some ValueObserver<Value>) {
    target.receive(registrationChange.new)
    let observer = skippingWhatWaits(
      FieldObserver(owner: ObjectIdentifier(target)) { [weak target] change in
        guard let target else { return false }
        target.receive(change.new)
        return true
      })
    ensureObservers().addForGood(observer, kind: FieldObserver<Value>.changesOnly)
  }

  /// Sets a field of another type to what is made of this one's value, now and with each change.
  ///
  /// - Parameter convert: makes a value for the target; nil sets it to nil.
  public final func bind<Other>(
    to target: Field<Other>, converting convert: @escaping (Value) -> Other?
  ) {
    if isKnown { target.receive(storage.flatMap(convert), wave: registrationChange.wave) }
    let observer = skippingWhatWaits(
      FieldObserver(owner: ObjectIdentifier(target)) { [weak target] change in
        guard let target else { return false }
        target.receive(change.new.flatMap(convert), wave: change.wave)
        return true
      })
    ensureObservers().addForGood(observer, kind: FieldObserver<Value>.changesOnly)
  }
}

extension Field {
  /// Takes a value from a source it is bound to.
  @usableFromInline
  final func receive(_ value: Value?, wave: FieldWave) {
    // What comes back to where it began is an echo, and may be older than what is here.
    if wave.root == ObjectIdentifier(self) { return }
    if isEcho(value) { return }
    store(value, origin: .binding, wave: wave, stamp: stamp(of: wave))
  }

  /// Takes a value from an object that is no field, and so knows nothing of waves.
  final func receive(_ value: Value?) {
    if isEcho(value) { return }
    set(value, origin: .binding)
  }

  /// Whether a value that comes over a binding is the one that this field got in this delivery.
  private func isEcho(_ value: Value?) -> Bool {
    let context = DeliveryContext.current
    return context.isBusy && lastDelivery == context.number && isKnown && storage == value
  }
}
