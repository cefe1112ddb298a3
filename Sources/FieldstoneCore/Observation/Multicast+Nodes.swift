// For targets that keep lists of their own, and for the multicast itself.

extension Multicast {
  /// Adds a callback of a kind.
  package func add(_ callback: Callback, kind: UInt8) -> Registration {
    takeUpEnded()
    let ended = self.ended ?? EndedRegistrations()
    self.ended = ended
    lastSequence = lastSequence == .max ? 1 : lastSequence + 1
    let node = append(callback, kind: kind, sequence: lastSequence)
    let number = NodeNumber(address: UInt(bitPattern: node.toOpaque()), sequence: lastSequence)
    return Registration(number, noteIn: ended)
  }

  /// Adds a callback that only ``removeNodes(where:)`` removes again.
  package func addForGood(_ callback: Callback, kind: UInt8) {
    takeUpEnded()
    append(callback, kind: kind, sequence: 0)
  }

  @discardableResult
  private func append(_ callback: Callback, kind: UInt8, sequence: UInt32) -> Unmanaged<Node> {
    let node = Unmanaged.passRetained(Node(callback, kind: kind, sequence: sequence))
    if let last {
      node._withUnsafeGuaranteedRef { $0.previous = last }
      last._withUnsafeGuaranteedRef { $0.next = node }
    } else {
      first = node
    }
    last = node
    liveCount += 1
    return node
  }

  /// Calls a closure with each live node, in order, those added meanwhile left out.
  @inlinable
  package func forEachNode(_ call: (ObserverNode<Callback>) -> Void) {
    takeUpEnded()
    guard var node = first, let last else { return }
    depth += 1
    while true {
      node._withUnsafeGuaranteedRef { if $0.isLive { call($0) } }
      takeUpEnded()
      // Nodes stay linked until the outermost delivery is over, so the last one stays in reach.
      if node.toOpaque() == last.toOpaque() { break }
      guard let next = node._withUnsafeGuaranteedRef({ $0.next }) else { break }
      node = next
    }
    depth -= 1
    if hasDeadNodes, depth == 0 { unlinkDeadNodes() }
  }

  /// Removes the nodes that a closure chooses. O(n).
  package func removeNodes(where isChosen: (ObserverNode<Callback>) -> Bool) {
    takeUpEnded()
    var node = first
    while let current = node {
      current._withUnsafeGuaranteedRef { reference in
        node = reference.next
        guard reference.isLive, isChosen(reference) else { return }
        end(reference)
        if reference.sequence != 0 { orphans.insert(reference.sequence) }
      }
    }
    if hasDeadNodes, depth == 0 { unlinkDeadNodes() }
  }

  /// Takes up the notes of registrations that have ended.
  @inlinable
  package func takeUpEnded() {
    guard let ended, !ended.isEmpty else { return }
    takeUp(ended)
  }

  @usableFromInline
  func takeUp(_ ended: EndedRegistrations) {
    var unlinked: [Unmanaged<Node>] = []
    for number in ended.takeAll() {
      // The node of an orphan is gone, and its address means nothing.
      if !orphans.isEmpty, orphans.remove(number.sequence) != nil { continue }
      guard let pointer = UnsafeRawPointer(bitPattern: number.address) else { continue }
      let node = Unmanaged<Node>.fromOpaque(pointer)
      node._withUnsafeGuaranteedRef { end($0) }
      guard depth == 0 else { continue }
      unlink(node)
      unlinked.append(node)
    }
    if depth == 0 { hasDeadNodes = false }
    // What a callback captured may run code of its own when it goes: the list is whole by now.
    for node in unlinked { node.release() }
  }

  @usableFromInline
  func unlinkDeadNodes() {
    hasDeadNodes = false
    var unlinked: [Unmanaged<Node>] = []
    var node = first
    while let current = node {
      let isLive = current._withUnsafeGuaranteedRef { reference in
        node = reference.next
        return reference.isLive
      }
      if isLive { continue }
      unlink(current)
      unlinked.append(current)
    }
    for node in unlinked { node.release() }
  }

  /// Marks a node as dead; the next moment without a delivery takes it out.
  private func end(_ node: Node) {
    node.isLive = false
    liveCount -= 1
    hasDeadNodes = true
  }

  private func unlink(_ node: Unmanaged<Node>) {
    node._withUnsafeGuaranteedRef { reference in
      if let previous = reference.previous {
        previous._withUnsafeGuaranteedRef { $0.next = reference.next }
      } else {
        first = reference.next
      }
      if let next = reference.next {
        next._withUnsafeGuaranteedRef { $0.previous = reference.previous }
      } else {
        last = reference.previous
      }
    }
  }
}
