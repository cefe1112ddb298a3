/// Names a node of a ``Multicast`` from any thread; only that multicast can find the node by it.
struct NodeNumber: Hashable, Sendable {
  private let address: UInt
  /// Tells apart nodes that had the same address one after the other.
  let sequence: UInt32

  init(_ node: Unmanaged<NodeLink>, sequence: UInt32) {
    address = UInt(bitPattern: node.toOpaque())
    self.sequence = sequence
  }

  /// The node, which has to be there still.
  var node: Unmanaged<NodeLink>? {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    return .fromOpaque(pointer)
  }
}
