extension ReadableField {
  /// One change of a field, as its observers receive it.
  public struct Change {
    /// The value before; equal to `new` in an observer's first call.
    public let old: Value?
    /// The value that was set, even if the field has been set again since.
    public let new: Value?
    /// The origin of the change.
    public let origin: ChangeOrigin
    /// The field's revision after the change.
    public let revision: Int

    /// The wave of bindings that the change belongs to.
    @usableFromInline let wave: FieldWave

    @inlinable
    init(old: Value?, new: Value?, origin: ChangeOrigin, revision: Int, wave: FieldWave) {
      self.old = old
      self.new = new
      self.origin = origin
      self.revision = revision
      self.wave = wave
    }

    /// No change: it asks an observer with an owner whether that still lives.
    static var probe: Change {
      Change(
        old: nil, new: nil, origin: .registration, revision: -1,
        wave: FieldWave(root: nil, systemStamp: .nan))
    }

    @inlinable
    var isProbe: Bool { revision < 0 }

    /// Makes a change, for tests of observers.
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
  /// Receives a change; if its owner is deallocated, it says so to the delivery context.
  ///
  /// An observer with an owner receives probes, too.
  @usableFromInline let hear: (ReadableField<Value>.Change) -> Void

  /// The object by which it is removed: its owner, or the target of a binding.
  @usableFromInline let owner: ObjectIdentifier?

  /// Keeps the memory of a target field of the same type, which is set without `hear`.
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

  // The kind of a node, as bits: whether it receives equal sets, and whether it stays when all
  // observers are removed. A binding is a kind by itself.

  /// A node that receives changes only.
  @inlinable static var changesOnly: UInt8 { 0 }
  /// A node that receives equal sets, too.
  @inlinable static var everySet: UInt8 { 1 }
  /// A node that receives changes for rules, and stays when all observers are removed.
  static var rules: UInt8 { 2 }
  /// A node that receives every set for a form, and stays when all observers are removed.
  static var form: UInt8 { everySet | rules }
  /// A node that sets its target.
  @inlinable static var binding: UInt8 { 4 }
  /// A node that has an owner by which it is not removed.
  static var owned: UInt8 { 8 }
}

extension DeliveryContext {
  /// Removes the observer that is being called, as its owner is deallocated.
  @usableFromInline
  package static func noteOwnerIsGone() {
    withCurrent { $0.isOwnerGone = true }
  }
}
