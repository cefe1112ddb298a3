extension Multicast {
  /// Ends a node from within a delivery, for a reason of its owner's such as a weak object that is
  /// gone; the end of the outermost delivery takes it out.
  @usableFromInline
  package func retire(_ node: ObserverNode<Callback>) {
    if node.isLive { orphan(.passUnretained(node)) }
  }
}
