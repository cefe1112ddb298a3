/// The part of a node that does not depend on its callback's type: the code that links nodes is
/// compiled once.
@usableFromInline
package class NodeLink {
  /// The kind by which the owner of the list tells nodes apart.
  @usableFromInline package final let kind: UInt8

  @exclusivity(unchecked) @usableFromInline package final var isLive = true

  /// The sequence in the number of its registration; zero when it has none.
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

/// Where a node of a ``Multicast`` is, or was.
struct NodeAddress: Hashable, Sendable {
  private let bits: UInt

  init(_ node: Unmanaged<NodeLink>) { bits = UInt(bitPattern: node.toOpaque()) }

  /// The node, which has to be there still.
  var node: Unmanaged<NodeLink>? {
    UnsafeRawPointer(bitPattern: bits).map { .fromOpaque($0) }
  }
}

/// Names a node of a ``Multicast`` from any thread; only that multicast can find the node by it.
struct NodeNumber: Hashable, Sendable {
  let address: NodeAddress
  /// Tells apart nodes that had the same address one after the other; never zero.
  let sequence: UInt32

  init(_ address: NodeAddress, sequence: UInt32) {
    self.address = address
    self.sequence = sequence
  }
}

/// Nodes that were taken out of their list and wait to be released, linked by what linked them.
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
  /// Releasing a callback's captures may run users' code, so the list has to be whole.
  consuming func release() {
    var node = first
    while let current = node {
      node = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }
}
