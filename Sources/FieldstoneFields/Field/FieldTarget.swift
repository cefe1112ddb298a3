import CFieldstone
public import FieldstoneCore

/// Keeps the memory of a field that a binding sets, and not the field.
///
/// A weak reference costs the target a side table of its own, for good: each load of
/// the reference goes through it, and so does each later retain and release of the field. A hop
/// took 86 ns with it and takes 27 without. An unowned reference needs no table and keeps the
/// memory as well, with the reference count in it; only that Swift traps when it is used after the
/// end of the object. The runtime has the operation that is missing, and uses it for weak
/// references itself: a retain that fails, in the same atomic step, once the end has begun. It
/// works beside such a table, too, where other code holds the field weakly.
///
/// The price is that the memory of a field that has gone is given back when its source is set
/// next, or goes. What the field held is released at once.
///
/// Only for our own fields: objects of Objective-C have no such reference count. For a runtime without
/// the operation there is the weak reference after all, with `FIELDSTONE_WEAK_BINDINGS`.
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

  /// The field at the address that a target keeps, retained for the caller; nil when it is gone.
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
  /// Adds a binding to a field of this type, which `relay` serves.
  @usableFromInline
  final func addBinding(to target: Field<Value>) {
    addForGood(
      FieldObserver(target: target), kind: FieldObserver<Value>.binding, isBinding: true)
  }

  /// Hands a change on over a binding; false when its target is gone.
  @inlinable @inline(never)
  final func relay(
    _ change: Change, to address: ObjectIdentifier, over node: ObserverNode<FieldObserver<Value>>,
    in context: DeliveryContext
  ) -> Bool {
    // What comes back to where it began is an echo: no need to look whether that still lives.
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
  /// Whether a value that comes over a binding is the one that this field got in this delivery.
  @inlinable
  final func isEcho(_ value: Value?, in context: DeliveryContext) -> Bool {
    context.isBusy && lastDelivery == context.number && flags.contains(.isKnown)
      && isSame(storage, value)
  }
}
