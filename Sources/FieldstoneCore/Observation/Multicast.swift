/// Typed callbacks from one to many. (Seed: ModelBlocks' `MulticastCallbackNode`.)
///
/// ```swift
/// let saved = Multicast<(Document) -> Void>()
/// let registration = saved.add { document in print(document.title) }
/// saved.invokeEach { $0(document) }
/// ```
///
/// Callbacks are called in the order they were added. A callback that is removed during a delivery
/// is not called again. A callback that is added during a delivery is first called in the next.
/// From within a callback it is legal to add, remove and invoke.
///
/// It is not `Sendable` and lives where its owner lives; only its registrations may go elsewhere.
/// Adding and removing cost O(1) amortised, for any number of callbacks.
public final class Multicast<Callback> {
  /// The last node, which links to the first.
  @exclusivity(unchecked) @usableFromInline var last: Unmanaged<NodeLink>?

  /// Where registrations leave their notes, made with the first of them.
  ///
  /// A list without registrations pays nothing for it. It is not managed, as to retain it before
  /// each call would cost more than the call.
  @exclusivity(unchecked) @usableFromInline var ended: Unmanaged<EndedRegistrations>?

  /// Registrations whose nodes were removed before they ended: their notes mean nothing.
  @exclusivity(unchecked) var orphans: Set<NodeNumber> = []

  @exclusivity(unchecked) var lastSequence: UInt32 = 0

  /// How many callbacks there are.
  @exclusivity(unchecked) var liveCount: Int32 = 0

  /// How many deliveries are under way, one inside the other.
  @exclusivity(unchecked) @usableFromInline var depth: Int32 = 0

  /// Whether nodes that ended during a delivery wait to be taken out after it.
  @exclusivity(unchecked) @usableFromInline var hasDeadNodes = false

  /// Makes one without callbacks.
  @inlinable
  public init() {}

  deinit {
    forEachLink { $0.release() }
    ended?.release()
  }

  /// How many callbacks would be called now.
  public var count: Int {
    takeUpEnded()
    return Int(liveCount)
  }

  /// Adds a callback at the end.
  ///
  /// - Returns: the registration, to keep as long as the callback is needed. The callback and what
  ///   it captures live until the next use of this object after its end.
  @inlinable
  public func add(_ callback: Callback) -> Registration {
    add(callback, kind: 0)
  }

  /// Calls each callback through a closure that knows its parameters, in order.
  @inlinable
  public func invokeEach(_ call: (Callback) -> Void) {
    forEachNode { call($0.callback) }
  }

  /// Removes all callbacks; their registrations have no meaning any more.
  public func removeAll() {
    removeNodes { _ in true }
  }

  /// Lets go of callbacks whose registrations have ended, which the next use would do, too.
  package func compact() {
    takeUpEnded()
  }
}

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

extension Multicast {
  /// Ends a node from within a delivery, because a weak owner is gone, say; the end of the
  /// outermost delivery takes it out.
  @usableFromInline
  package func retire(_ node: ObserverNode<Callback>) {
    if node.isLive { orphan(.passUnretained(node)) }
  }
}
