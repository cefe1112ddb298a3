extension ReadableField {
  /// One change of a field, as its observers hear it.
  public struct Change {
    /// The value before; in the first call of an observer the same as `new`.
    public let old: Value?
    /// The value now: the one that was set, also when it has been set again since.
    public let new: Value?
    /// Where it came from.
    public let origin: ChangeOrigin
    /// The field's revision that the change led to.
    public let revision: Int

    /// The field at which this wave of bindings began, and its revision then.
    @usableFromInline let wave: FieldWave

    @inlinable
    init(old: Value?, new: Value?, origin: ChangeOrigin, revision: Int, wave: FieldWave) {
      self.old = old
      self.new = new
      self.origin = origin
      self.revision = revision
      self.wave = wave
    }

    /// Makes a change, for tests of what observes.
    public init(old: Value?, new: Value?, origin: ChangeOrigin = .code, revision: Int = 1) {
      self.init(
        old: old, new: new, origin: origin, revision: revision,
        wave: FieldWave(root: nil, systemStamp: .nan))
    }
  }
}

extension ReadableField.Change: Sendable where Value: Sendable {}

/// An observer of the changes of a field.
@usableFromInline
struct FieldObserver<Value: Equatable & Sendable> {
  /// Hears a change; when its owner is gone it says so to the delivery context.
  @usableFromInline let hear: (ReadableField<Value>.Change) -> Void

  /// The object that it is removed by: its owner, or the target of a binding.
  @usableFromInline let owner: ObjectIdentifier?

  /// Keeps the memory of the owner where that is a field of this type, to be set without `hear`.
  @usableFromInline let target: FieldTarget?

  @inlinable
  init(owner: ObjectIdentifier?, hear: @escaping (ReadableField<Value>.Change) -> Void) {
    self.owner = owner
    self.hear = hear
    target = nil
  }

  @inlinable
  init(target: Field<Value>) {
    owner = ObjectIdentifier(target)
    hear = { _ in }
    self.target = FieldTarget(target)
  }

  // What a node is, as bits: whether it hears equal sets, and whether it stays when all observers
  // are removed. A binding is a kind by itself.

  /// Of a node that hears changes only.
  @inlinable static var changesOnly: UInt8 { 0 }
  /// Of a node that hears equal sets, too.
  @inlinable static var everySet: UInt8 { 1 }
  /// Of a node that hears changes for rules, and stays when all observers are removed.
  static var rules: UInt8 { 2 }
  /// Of a node that hears every set for a form, and stays when all observers are removed.
  static var form: UInt8 { everySet | rules }
  /// Of a node that sets its target.
  @inlinable static var binding: UInt8 { 4 }
}

extension DeliveryContext {
  /// Takes out the observer that is being called: its owner is gone.
  @usableFromInline
  package static func noteOwnerIsGone() {
    withCurrent { $0.isOwnerGone = true }
  }
}
