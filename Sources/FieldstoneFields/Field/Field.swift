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
  /// Makes a field whose value is not known yet.
  @inlinable
  public override init() {
    super.init()
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - name: the name that people read.
  ///   - key: the key in dictionaries and JSON; the name by default.
  ///   - value: the value it is loaded with; with nil, its value is not known yet.
  ///   - order: its position among other fields, lower first.
  ///   - time: the source of its timestamps.
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

  /// The value; setting it, even to nil, makes the field loaded.
  ///
  /// Reading costs as much as a stored property. Setting calls the observers before it returns;
  /// inside an observer or a batch, they are called when that is done.
  @inlinable
  public final override var value: Value? {
    get {
      if flags.contains(.isTracked) { noteAccess() }
      return storage
    }
    set { set(newValue, origin: .code) }
  }

  /// Begins loading; the current value stays.
  public final func beginLoading() {
    changeState { field in
      field.flags.insert(.isLoading)
      field.flags.remove(.hasFailed)
    }
  }

  /// Ends loading with an error; the current value stays.
  public final func fail(with error: any Error) {
    changeState { field in
      field.flags.remove(.isLoading)
      field.flags.insert(.hasFailed)
      field.ensureDetails().error = error
    }
  }

  /// Ends loading without a result; the current value stays.
  public final func cancelLoading() {
    changeState { $0.flags.remove(.isLoading) }
  }

  private func changeState(_ change: (Field) -> Void) {
    recordForBatch()
    details?.tracker?.willChange()
    change(self)
    details?.tracker?.didChange()
    queuePhase()
    DeliveryContext.current.deliverIfIdle()
  }
}

extension Field {
  /// Sets the value and names its origin.
  ///
  /// An equal value is accepted, too: it updates `updatedAt` and the revision, and notifies the
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
