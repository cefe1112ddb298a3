/// Who hears the changes of a field.
@usableFromInline
struct FieldObserver<Value: Equatable & Sendable> {
  /// Hears a change; false when its owner is gone and it shall be taken out.
  @usableFromInline let hear: (ReadableField<Value>.Change) -> Bool

  /// Who it is removed by: its owner, or the target of a binding.
  @usableFromInline let owner: ObjectIdentifier?

  @inlinable
  init(owner: ObjectIdentifier?, hear: @escaping (ReadableField<Value>.Change) -> Bool) {
    self.owner = owner
    self.hear = hear
  }

  /// Of a node that hears changes only.
  @inlinable static var changesOnly: UInt8 { 0 }
  /// Of a node that hears equal sets, too.
  @inlinable static var everySet: UInt8 { 1 }
}

/// Changes that wait for their turn; made when one has to wait for the first time.
@usableFromInline
final class FieldQueue<Value: Equatable & Sendable> {
  @usableFromInline var changes = FieldFIFO<ReadableField<Value>.Change>()

  @usableFromInline
  init() {}
}
