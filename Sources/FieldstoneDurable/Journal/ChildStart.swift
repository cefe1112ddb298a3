public import Foundation

/// A child that a stage starts and its run then awaits.
///
/// A stage makes children by `DurableContext.child(_:options:flow:isDetached:)`, and passes all of
/// them to ``DurableStep/join(_:when:until:then:)``.
public struct ChildStart: Sendable, Hashable {
  /// The start of its run.
  ///
  /// It has no key: its parent and its ``ChildPlace`` identify it.
  public let start: RunStart
  /// Whether it continues without its parent.
  ///
  /// Any other child is cancelled when its parent is cancelled, or when its parent continues before
  /// the child has ended.
  public let isDetached: Bool

  /// Identifies the child's run.
  public var id: RunID { start.id }

  /// Makes a child; the key of the start is dropped.
  public init(_ start: RunStart, isDetached: Bool = false) {
    var start = start
    start.key = nil
    start.ifTaken = .existing
    self.start = start
    self.isDetached = isDetached
  }
}

extension Checkpoint {
  /// The children that are started with a checkpoint, and the end of the run's wait for them.
  public struct Join: Sendable, Hashable {
    /// The children: their places are their indices.
    public var children: [ChildStart]
    /// When the run continues.
    public var policy: JoinPolicy
    /// The end of the wait, by the wall clock; nil for no limit.
    public var until: Date?

    /// Makes a wait for children; without children the wait ends at once.
    public init(_ children: [ChildStart], when policy: JoinPolicy = .all, until date: Date? = nil) {
      self.children = children
      self.policy = policy
      until = date
    }

    /// Until when the run waits, for its record; nil if there is nothing to wait for.
    package var dueAt: Date? { children.isEmpty ? nil : until ?? .distantFuture }

    /// The wait, for the run's record.
    package func record(at sequence: Int) -> RunJoin {
      RunJoin(
        sequence: sequence, policy: children.isEmpty ? nil : policy, open: children.count)
    }
  }
}

/// A place of a concurrency key or a flow that a run holds until it is over.
package struct HeldPlace: Sendable, Hashable {
  package var flow: String
  /// The concurrency key; nil for a place of the flow.
  package var key: String?
  package var holder: RunID

  package init(flow: String, key: String?, holder: RunID) {
    self.flow = flow
    self.key = key
    self.holder = holder
  }
}

extension Checkpoint {
  /// Throws for children that would wait for a place that is free only after they have ended.
  ///
  /// It costs O(n) in the number of children, for each place.
  ///
  /// - Parameter held: the places that their parent and its ancestors hold.
  package func checkPlaces(heldAbove held: [HeldPlace]) throws(JournalError) {
    guard !held.isEmpty else { return }
    for child in next.children {
      if let taken = held.first(where: { $0.isNeeded(by: child.start) }) {
        throw .placeHeldByParent(key: taken.key, flow: taken.flow, holder: taken.holder)
      }
    }
  }
}

extension HeldPlace {
  fileprivate func isNeeded(by start: RunStart) -> Bool {
    guard flow.utf8.elementsEqual(start.flow.utf8) else { return false }
    guard let key else { return true }
    return start.concurrencyKey.map { $0.utf8.elementsEqual(key.utf8) } ?? false
  }
}

/// The link of a new run to its parent.
package struct ChildLink: Sendable, Hashable {
  package var parent: RunID
  package var place: ChildPlace
  package var isDetached: Bool
  /// The number of its ancestors.
  package var depth: Int

  package init(parent: RunID, place: ChildPlace, isDetached: Bool, depth: Int) {
    self.parent = parent
    self.place = place
    self.isDetached = isDetached
    self.depth = depth
  }
}

/// The number of runs per transaction that carries out deadlines or cancellations of children.
package let cancelledAtOnce = 500
