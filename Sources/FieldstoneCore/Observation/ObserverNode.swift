/// The part of a node that does not depend on its callback's type; the linking code is compiled
/// once.
@usableFromInline
package class NodeLink {
  /// The kind by which the list's owner distinguishes nodes.
  @usableFromInline package final let kind: UInt8

  @exclusivity(unchecked) @usableFromInline package final var isLive = true

  /// The sequence in the number of its registration; zero if it has none.
  @exclusivity(unchecked) final var sequence: UInt32 = 0

  @exclusivity(unchecked) final var previous: Unmanaged<NodeLink>?
  @exclusivity(unchecked) @usableFromInline final var next: Unmanaged<NodeLink>?

  @usableFromInline
  init(kind: UInt8) {
    self.kind = kind
  }
}

/// One callback in the list of a ``Multicast``.
///
/// Nodes are linked without reference counting, and `callback` is a constant. Together they let a
/// delivery call it without retaining anything.
@usableFromInline
package final class ObserverNode<Callback>: NodeLink {
  @usableFromInline package let callback: Callback

  @inlinable
  package init(_ callback: Callback, kind: UInt8) {
    self.callback = callback
    super.init(kind: kind)
  }
}

/// The address of a present or former node of a ``Multicast``.
struct NodeAddress: Hashable, Sendable {
  private let bits: UInt

  init(_ node: Unmanaged<NodeLink>) { bits = UInt(bitPattern: node.toOpaque()) }

  /// The node, which must still exist.
  var node: Unmanaged<NodeLink>? {
    UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
  }
}

/// Identifies a node of a ``Multicast`` from any thread; only that multicast can look it up.
struct NodeNumber: Hashable, Sendable {
  let address: NodeAddress
  /// Distinguishes nodes that reused one address; never zero.
  let sequence: UInt32

  init(_ address: NodeAddress, sequence: UInt32) {
    self.address = address
    self.sequence = sequence
  }
}

/// Unlinked nodes that wait to be released, linked by their `next`.
struct NodeChain {
  private var first: Unmanaged<NodeLink>?
  private var last: Unmanaged<NodeLink>?

  mutating func append(_ node: Unmanaged<NodeLink>) {
    node._withUnsafeGuaranteedRef { $0.next = nil }
    if let last { last._withUnsafeGuaranteedRef { $0.next = node } } else { first = node }
    last = node
  }

  /// Releases the nodes in order.
  ///
  /// Releasing a callback's captures may run users' code, so the list must be consistent before it.
  consuming func release() {
    var node = first
    while let current = node {
      node = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }
}
