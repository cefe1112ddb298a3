/// Delivers what waits in a field to its observers, whatever the type of its value.
///
/// A closure and not a method to override: methods of generic classes are not specialised when
/// they are called through the class, and cost many times as much.
@usableFromInline
class FieldDeliverer {
  @usableFromInline final let deliver: (AnyField, DeliveryContext) -> Void

  @inlinable
  init(deliver: @escaping (AnyField, DeliveryContext) -> Void) {
    self.deliver = deliver
  }
}

/// Changes that wait for their turn; made when one has to wait for the first time.
@usableFromInline
final class FieldQueue<Value: Equatable & Sendable>: FieldDeliverer {
  @exclusivity(unchecked) @usableFromInline var changes = FieldFIFO<ReadableField<Value>.Change>()

  @inlinable
  init() {
    super.init { field, context in
      // The field itself makes the deliverer, and does not share it.
      let field = unsafeDowncast(field, to: ReadableField<Value>.self)
      guard let deliverer = field.deliverer else { return }
      let next = deliverer._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: FieldQueue<Value>.self).changes.popFirst()
      }
      guard let (change, isChange) = next else { return }
      field.deliver(change, isChange: isChange, in: context)
    }
  }
}
