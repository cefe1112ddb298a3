/// One callback in the list of a ``Multicast``.
///
/// Nodes are linked without reference counting, and `callback` is a constant: together that is
/// what lets a delivery call it without retaining anything.
@usableFromInline
package final class ObserverNode<Callback> {
  @usableFromInline package let callback: Callback

  /// The number of its registration; zero when it has none.
  let sequence: UInt32

  /// What the owner of the list tells nodes apart by.
  @usableFromInline package let kind: UInt8

  @exclusivity(unchecked) @usableFromInline package var isLive = true
  @exclusivity(unchecked) @usableFromInline var previous: Unmanaged<ObserverNode>?
  @exclusivity(unchecked) @usableFromInline var next: Unmanaged<ObserverNode>?

  init(_ callback: Callback, kind: UInt8, sequence: UInt32) {
    self.callback = callback
    self.kind = kind
    self.sequence = sequence
  }
}
