/// One callback in the list of a ``Multicast``.
///
/// Nodes are linked without reference counting, and `callback` is a constant: together that is
/// what lets a delivery call it without retaining anything.
@usableFromInline
package final class ObserverNode<Callback>: NodeLink {
  @usableFromInline package let callback: Callback

  @inlinable
  package init(_ callback: Callback, kind: UInt8) {
    self.callback = callback
    super.init(kind: kind)
  }
}
