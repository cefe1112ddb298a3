// The list itself, which knows nothing of callbacks.

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
    if let last {
      node.previous = last
      last._withUnsafeGuaranteedRef { $0.next = link }
    } else {
      first = link
    }
    last = link
    liveCount += 1
  }

  /// A number that no registration has which may still leave a note: sequences come round again,
  /// and the node of an orphan has left its address to others.
  private func nextNumber(of node: NodeLink) -> NodeNumber {
    while true {
      lastSequence = lastSequence == .max ? 1 : lastSequence + 1
      let number = NodeNumber(.passUnretained(node), sequence: lastSequence)
      if orphans.isEmpty || !orphans.contains(number) { return number }
    }
  }

  @usableFromInline
  func takeUp(_ ended: Unmanaged<EndedRegistrations>) {
    // What is released may hold registrations of this list; they are gone with it, not later.
    repeat {
      var unlinked = NodeChain()
      ended._withUnsafeGuaranteedRef { ended in
        ended.takeAll { number in
          if !orphans.isEmpty, orphans.remove(number) != nil { return }
          guard let node = number.node else { return }
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
    var node = first
    while let current = node {
      let isLive = current._withUnsafeGuaranteedRef { link in
        node = link.next
        return link.isLive
      }
      if isLive { continue }
      unlink(current)
      unlinked.append(current)
    }
    unlinked.release()
    takeUpEnded()
  }

  /// Ends a node before its registration has ended, if it has one.
  func orphan(_ node: Unmanaged<NodeLink>) {
    end(node)
    hasDeadNodes = true
    let sequence = node._withUnsafeGuaranteedRef { $0.sequence }
    if sequence != 0 { orphans.insert(NodeNumber(node, sequence: sequence)) }
  }

  /// Marks a node as dead; it stays linked as long as a delivery may stand on it.
  private func end(_ node: Unmanaged<NodeLink>) {
    node._withUnsafeGuaranteedRef { $0.isLive = false }
    liveCount -= 1
  }

  private func unlink(_ node: Unmanaged<NodeLink>) {
    let (previous, next) = node._withUnsafeGuaranteedRef { ($0.previous, $0.next) }
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = next }
    } else {
      first = next
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previous = previous }
    } else {
      last = previous
    }
  }
}
