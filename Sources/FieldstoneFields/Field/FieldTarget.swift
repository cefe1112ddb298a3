import CFieldstone
public import FieldstoneCore

/// A reference to a bound field that keeps its memory, but does not retain it.
///
/// A weak reference permanently gives the target a side table. Each load of the reference goes
/// through it, and so does each later retain and release of the field. A hop took 86 ns with it and
/// takes 27 ns without. An unowned reference needs no table and keeps the memory with the reference
/// count, but Swift traps when it is used after deallocation. The runtime has the missing
/// operation, and uses it for weak references itself: a retain that fails, in the same atomic step,
/// once deallocation has begun. It also works beside a side table, where other code holds the field
/// weakly.
///
/// The price: a deallocated field's memory is freed only when its source is set next, deallocated,
/// or has twice as many observers. The field's contents are released at once.
///
/// It is for our own fields only: objects of Objective-C have no such reference count. On a runtime
/// without the operation, `FIELDSTONE_WEAK_BINDINGS` selects weak references.
@usableFromInline
struct FieldTarget {
  #if FIELDSTONE_WEAK_BINDINGS
    private weak var kept: AnyField?
  #else
    private unowned let kept: AnyField
  #endif

  @usableFromInline
  init(_ field: AnyField) {
    kept = field
  }

  /// The field at a target's address, retained for the caller; nil once it is deallocated.
  @usableFromInline
  static func retain(
    _ address: ObjectIdentifier, keptBy target: @autoclosure () -> FieldTarget?
  ) -> Unmanaged<AnyField>? {
    #if FIELDSTONE_WEAK_BINDINGS
      return target()?.kept.map(Unmanaged.passRetained)
    #else
      guard let address = UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: address)),
        let alive = fieldstone_retain_if_alive(address)
      else { return nil }
      return .fromOpaque(alive)
    #endif
  }
}

extension ReadableField {
  /// Adds a binding to a field of this type; `relay` serves it.
  @usableFromInline
  final func addBinding(to target: Field<Value>) {
    addForGood(
      FieldObserver(target: target), kind: FieldObserver<Value>.binding, isBinding: true)
  }

  /// Passes a change on over a binding; false once its target is deallocated.
  @inlinable @inline(never)
  final func relay(
    _ change: Change, to address: ObjectIdentifier, over node: ObserverNode<FieldObserver<Value>>,
    in context: DeliveryContext
  ) -> Bool {
    // A change that returns to its root is an echo: no need to check whether the root still lives.
    if change.wave.root == address { return true }
    guard let target = FieldTarget.retain(address, keptBy: node.callback.target) else {
      return false
    }
    let isQueued = target._withUnsafeGuaranteedRef { target in
      // It was bound as a field of this type.
      let target = unsafeDowncast(target, to: Field<Value>.self)
      if target.isEcho(change.new, in: context) { return false }
      return target.store(
        change.new, origin: .binding, wave: change.wave, stamp: target.stamp(of: change.wave),
        in: context, isRetained: true)
    }
    if !isQueued { target.release() }
    return true
  }
}

extension Field {
  /// Whether a bound value is the one that this field already got in this delivery.
  @inlinable
  final func isEcho(_ value: Value?, in context: DeliveryContext) -> Bool {
    context.isBusy && lastDelivery == context.number && flags.contains(.isKnown)
      && isSame(storage, value)
  }
}
