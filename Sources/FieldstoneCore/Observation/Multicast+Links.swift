// The list itself, independent of callbacks: a ring that keeps a reference only to its last node.

extension Multicast {
  @usableFromInline
  func register(_ node: NodeLink) -> Registration {
    append(node)
    let ended = self.ended ?? .passRetained(EndedRegistrations())
    self.ended = ended
    let number = nextNumber(of: node)
    node.sequence = number.sequence
    return Registration(number, noteIn: ended.takeUnretainedValue())
  }

  @usableFromInline
  func append(_ node: NodeLink) {
    takeUpEnded()
    let link = Unmanaged.passRetained(node)
    if let last, let first = last._withUnsafeGuaranteedRef({ $0.next }) {
      connect(last, to: link)
      connect(link, to: first)
    } else {
      connect(link, to: link)
    }
    last = link
    liveCount += 1
  }

  /// Calls a closure with each node that is linked now, in order; the closure may unlink that node.
  @inlinable @inline(__always)
  func forEachLink(_ body: (Unmanaged<NodeLink>) -> Void) {
    guard let last, var node = last._withUnsafeGuaranteedRef({ $0.next }) else { return }
    while true {
      let next = node._withUnsafeGuaranteedRef { $0.next }
      let isLast = node.toOpaque() == last.toOpaque()
      body(node)
      guard !isLast, let next else { return }
      node = next
    }
  }

  @usableFromInline
  func takeUp(_ ended: Unmanaged<EndedRegistrations>) {
    // Released callbacks may hold registrations of this list; the loop takes their notes up, too.
    repeat {
      var unlinked = NodeChain()
      ended._withUnsafeGuaranteedRef { ended in
        ended.takeAll { number in
          if !orphans.isEmpty, orphans.remove(number) != nil { return }
          guard let node = number.address.node else { return }
          end(node)
          if depth > 0 {
            hasDeadNodes = true
          } else {
            unlink(node)
            unlinked.append(node)
          }
        }
      }
      unlinked.release()
    } while !ended._withUnsafeGuaranteedRef({ $0.isEmpty })
  }

  @usableFromInline
  func unlinkDeadNodes() {
    hasDeadNodes = false
    var unlinked = NodeChain()
    forEachLink { node in
      if node._withUnsafeGuaranteedRef({ $0.isLive }) { return }
      unlink(node)
      unlinked.append(node)
    }
    unlinked.release()
    takeUpEnded()
  }

  /// Ends a node before its registration ends, if it has one.
  func orphan(_ node: Unmanaged<NodeLink>) {
    end(node)
    hasDeadNodes = true
    let sequence = node._withUnsafeGuaranteedRef { $0.sequence }
    if sequence != 0 { orphans.insert(NodeNumber(NodeAddress(node), sequence: sequence)) }
  }

  /// Marks a node as dead; it stays linked while a delivery may be at it.
  private func end(_ node: Unmanaged<NodeLink>) {
    node._withUnsafeGuaranteedRef { $0.isLive = false }
    liveCount -= 1
  }

  private func unlink(_ node: Unmanaged<NodeLink>) {
    let (previous, next) = node._withUnsafeGuaranteedRef { ($0.previous, $0.next) }
    guard let previous, let next else { return }
    connect(previous, to: next)
    guard let last, node.toOpaque() == last.toOpaque() else { return }
    self.last = previous.toOpaque() == node.toOpaque() ? nil : previous
  }

  private func connect(_ node: Unmanaged<NodeLink>, to next: Unmanaged<NodeLink>) {
    node._withUnsafeGuaranteedRef { $0.next = next }
    next._withUnsafeGuaranteedRef { $0.previous = node }
  }

  /// A number that no pending note can have: sequences wrap around, and other nodes may reuse the
  /// address of an orphan's node.
  private func nextNumber(of node: NodeLink) -> NodeNumber {
    let address = NodeAddress(.passUnretained(node))
    while true {
      lastSequence = lastSequence == .max ? 1 : lastSequence + 1
      let number = NodeNumber(address, sequence: lastSequence)
      if orphans.isEmpty || !orphans.contains(number) { return number }
    }
  }
}
