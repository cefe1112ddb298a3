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
  /// What a callback captured may run code of its own when it goes, so the list has to be whole.
  consuming func release() {
    var node = first
    while let current = node {
      node = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }
}
