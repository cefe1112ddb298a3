/// Typed callbacks from one to many. (Seed: ModelBlocks' `MulticastCallbackNode`.)
///
/// ```swift
/// let saved = Multicast<(Document) -> Void>()
/// let registration = saved.add { document in print(document.title) }
/// saved.invokeEach { $0(document) }
/// ```
///
/// Callbacks are called in the order they were added. One that is removed during a delivery is not
/// called any more; one that is added during a delivery is not called in that delivery. From
/// within a callback it is legal to add, remove and invoke.
///
/// It is not `Sendable` and lives where its owner lives; only its registrations may go elsewhere.
/// Adding and removing cost O(1) amortised, whatever the number of callbacks.
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
  /// - Returns: the registration, to keep as long as the callback shall be called. The callback
  ///   and what it captures live until the next use of this object after its end.
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
  public func compact() {
    takeUpEnded()
  }
}
