// For targets that keep lists of their own, and for the multicast itself.

extension Multicast {
  /// Adds a callback of a kind.
  @inlinable
  package func add(_ callback: Callback, kind: UInt8) -> Registration {
    register(ObserverNode(callback, kind: kind))
  }

  /// Adds a callback that only ``removeNodes(where:)`` removes again.
  @inlinable
  package func addForGood(_ callback: Callback, kind: UInt8) {
    append(ObserverNode(callback, kind: kind))
  }

  /// Adds a node of a callback that its owner looks at later, too.
  package func add(_ node: ObserverNode<Callback>) -> Registration {
    register(node)
  }

  /// Adds such a node, which only ``removeNodes(where:)`` removes again.
  package func addForGood(_ node: ObserverNode<Callback>) {
    append(node)
  }

  /// Calls a closure with each live node, in order, those added meanwhile left out.
  @inlinable
  package func forEachNode(_ call: (ObserverNode<Callback>) -> Void) {
    takeUpEnded()
    // Nodes stay linked until the outermost delivery is over, so that no loop loses its next node.
    depth += 1
    forEachLink { node in
      node._withUnsafeGuaranteedRef { if $0.isLive { call(typed($0)) } }
      takeUpEnded()
    }
    depth -= 1
    if hasDeadNodes, depth == 0 { unlinkDeadNodes() }
  }

  /// Removes the nodes that a closure chooses.
  ///
  /// - Complexity: O(n), n being the number of nodes.
  package func removeNodes(where isChosen: (ObserverNode<Callback>) -> Bool) {
    takeUpEnded()
    // As in a delivery, the list stays as it is meanwhile: loading a weak owner may run its
    // deinitialiser, which may do anything.
    depth += 1
    forEachLink { node in
      node._withUnsafeGuaranteedRef {
        if $0.isLive, isChosen(typed($0)), $0.isLive { orphan(node) }
      }
    }
    depth -= 1
    if hasDeadNodes, depth == 0 { unlinkDeadNodes() }
  }

  /// Takes up the notes of registrations that have ended.
  @inlinable
  package func takeUpEnded() {
    guard let ended, !ended._withUnsafeGuaranteedRef({ $0.isEmpty }) else { return }
    takeUp(ended)
  }

  /// A node of this list, whose callbacks are all of one type.
  @inlinable
  func typed(_ link: NodeLink) -> ObserverNode<Callback> {
    unsafeDowncast(link, to: ObserverNode<Callback>.self)
  }
}
