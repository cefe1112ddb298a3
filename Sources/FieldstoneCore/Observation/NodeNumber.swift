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
