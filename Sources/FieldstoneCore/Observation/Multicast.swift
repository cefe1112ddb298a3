/// Typed callbacks from one sender to many observers. (Seed: ModelBlocks' `MulticastCallbackNode`.)
///
/// ```swift
/// let saved = Multicast<(Document) -> Void>()
/// let registration = saved.add { document in print(document.title) }
/// saved.invokeEach { $0(document) }
/// ```
///
/// Callbacks are called in the order they were added. A callback that is removed during a delivery
/// is not called again. A callback that is added during a delivery is first called in the next. A
/// callback may add, remove and invoke.
///
/// It is not `Sendable` and stays in its owner's isolation; only its registrations may leave it.
/// Adding and removing cost O(1) amortised, for any number of callbacks.
public final class Multicast<Callback> {
  /// The last node, which links to the first.
  @exclusivity(unchecked) @usableFromInline var last: Unmanaged<NodeLink>?

  /// The notes of registrations that have ended; made with the first registration.
  ///
  /// A list without registrations doesn't pay for it. It is unmanaged because retaining it before
  /// each call would cost more than the call.
  @exclusivity(unchecked) @usableFromInline var ended: Unmanaged<EndedRegistrations>?

  /// Registrations whose nodes were removed before they ended; their notes are ignored.
  @exclusivity(unchecked) var orphans: Set<NodeNumber> = []

  @exclusivity(unchecked) var lastSequence: UInt32 = 0

  /// The number of callbacks.
  @exclusivity(unchecked) var liveCount: Int32 = 0

  /// The number of nested deliveries under way.
  @exclusivity(unchecked) @usableFromInline var depth: Int32 = 0

  /// Whether nodes that ended during a delivery wait to be unlinked after it.
  @exclusivity(unchecked) @usableFromInline var hasDeadNodes = false

  /// Makes a multicast without callbacks.
  @inlinable
  public init() {}

  deinit {
    forEachLink { $0.release() }
    ended?.release()
  }

  /// The number of live callbacks.
  public var count: Int {
    takeUpEnded()
    return Int(liveCount)
  }

  /// Adds a callback at the end.
  ///
  /// - Returns: the registration, to keep as long as the callback is needed. After it ends, the
  ///   callback and its captures are released with the next use of this object.
  @inlinable
  public func add(_ callback: Callback) -> Registration {
    add(callback, kind: 0)
  }

  /// Calls each callback, in order, through a closure that passes its parameters.
  @inlinable
  public func invokeEach(_ call: (Callback) -> Void) {
    forEachNode { call($0.callback) }
  }

  /// Removes all callbacks; their registrations have no effect any more.
  public func removeAll() {
    removeNodes { _ in true }
  }

  /// Releases callbacks whose registrations have ended, before the next use would.
  package func compact() {
    takeUpEnded()
  }
}

// For targets that keep their own lists, and for the multicast itself.

extension Multicast {
  /// Adds a callback of a kind.
  @inlinable
  package func add(_ callback: Callback, kind: UInt8) -> Registration {
    register(ObserverNode(callback, kind: kind))
  }

  /// Adds a callback that only ``removeNodes(where:)`` removes.
  @inlinable
  package func addForGood(_ callback: Callback, kind: UInt8) {
    append(ObserverNode(callback, kind: kind))
  }

  /// Adds a node that its owner keeps a reference to.
  package func add(_ node: ObserverNode<Callback>) -> Registration {
    register(node)
  }

  /// Adds a node that only ``removeNodes(where:)`` removes.
  package func addForGood(_ node: ObserverNode<Callback>) {
    append(node)
  }

  /// Calls a closure with each live node, in order, without those added meanwhile.
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

  /// Removes the nodes that a closure selects.
  ///
  /// - Complexity: O(n), n being the number of nodes.
  package func removeNodes(where isChosen: (ObserverNode<Callback>) -> Bool) {
    takeUpEnded()
    // Nodes stay linked until the loop ends, as in a delivery: loading a weak owner may run its
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

  /// Applies the notes of registrations that have ended.
  @inlinable
  package func takeUpEnded() {
    guard let ended, !ended._withUnsafeGuaranteedRef({ $0.isEmpty }) else { return }
    takeUp(ended)
  }

  /// A node of this list, with its type; all callbacks of a list have one type.
  @inlinable
  func typed(_ link: NodeLink) -> ObserverNode<Callback> {
    unsafeDowncast(link, to: ObserverNode<Callback>.self)
  }
}

extension Multicast {
  /// Ends a node from within a delivery, for example because a weak owner was deallocated; it is
  /// unlinked when the outermost delivery ends.
  @usableFromInline
  package func retire(_ node: ObserverNode<Callback>) {
    if node.isLive { orphan(.passUnretained(node)) }
  }
}
