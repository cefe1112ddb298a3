public import FieldstoneCore

/// A value that can be set, observed, bound, loaded and validated. (Seed: MagneticFields' `Field`.)
///
/// ```swift
/// let age = Field<Int>("Age")
/// let registration = age.observe { change in print(change.new ?? 0) }
/// age.value = 10
/// ```
///
/// A field is not `Sendable`: it lives where its owner lives. It can be made off the main actor
/// and be sent there with its owner.
public class Field<Value: Equatable & Sendable>: ReadableField<Value> {
  /// Makes a field of which nothing is known yet.
  @inlinable
  public override init() {
    super.init()
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - name: what people call it.
  ///   - key: what it is called in dictionaries and JSON; the name unless given.
  ///   - value: the value it is loaded with; nothing is known when it is nil.
  ///   - order: its place among other fields, lower first.
  ///   - time: where its timestamps come from.
  public init(
    _ name: String, key: String? = nil, value: Value? = nil, order: Int = 0,
    time: TimeSource? = nil
  ) {
    super.init()
    let details = ensureDetails()
    details.name = name
    details.key = key
    details.order = order
    details.time = time
    if let value { self.value = value }
  }

  /// Makes a field without a name that is loaded with a value.
  public init(value: Value, time: TimeSource? = nil) {
    super.init()
    if let time { ensureDetails().time = time }
    self.value = value
  }

  /// The value; setting it makes the field loaded, also when it is set to nil.
  ///
  /// Reading costs as much as reading a stored property. Setting calls the observers, before it
  /// returns or, from inside an observer or a batch, once that is done.
  @inlinable
  public final override var value: Value? {
    get {
      if flags.contains(.isTracked) { noteAccess() }
      return storage
    }
    set { set(newValue, origin: .code) }
  }

  /// Says that a value is being loaded; the one that is there stays.
  public final func beginLoading() {
    changeState { field in
      field.flags.insert(.isLoading)
      field.flags.remove(.hasFailed)
    }
  }

  /// Says that loading has failed; the value that is there stays.
  public final func fail(with error: any Error) {
    changeState { field in
      field.flags.remove(.isLoading)
      field.flags.insert(.hasFailed)
      field.ensureDetails().error = error
    }
  }

  /// Says that loading was given up: what was known before is what is known.
  public final func cancelLoading() {
    changeState { $0.flags.remove(.isLoading) }
  }

  private func changeState(_ change: (Field) -> Void) {
    recordForBatch()
    details?.tracker?.willChange()
    change(self)
    details?.tracker?.didChange()
    details?.stateObservers?.invokeEach { $0() }
  }
}

extension Field {
  /// Sets the value and says where it comes from.
  ///
  /// An equal value is accepted, too: it moves `updatedAt` and the revision, and is heard by
  /// observers that asked for every set.
  @inlinable
  public final func set(_ newValue: Value?, origin: ChangeOrigin) {
    let stamp = currentStamp
    let wave = wave(beginningAt: stamp)
    DeliveryContext.withCurrent { context in
      _ = store(newValue, origin: origin, wave: wave, stamp: stamp, in: context)
    }
  }
}
