extension Multicast {
  /// Retires a node without a registration from within a delivery: its owner is gone.
  ///
  /// The end of the outermost delivery takes it out.
  @usableFromInline
  package func retire(_ node: ObserverNode<Callback>) {
    guard node.isLive else { return }
    node.isLive = false
    liveCount -= 1
    hasDeadNodes = true
  }
}
