public import Foundation

/// Identifies a child among its parent's children; with the parent it is the child's key.
public struct ChildPlace: Sendable, Hashable, Codable, Comparable {
  /// The number of the parent's stage that started it.
  public var sequence: Int
  /// Its place among the children of that stage; the first is 0.
  public var ordinal: Int

  /// Makes a place.
  public init(sequence: Int, ordinal: Int) {
    self.sequence = sequence
    self.ordinal = ordinal
  }

  /// Whether a child was started before another of the same parent.
  public static func < (left: Self, right: Self) -> Bool {
    (left.sequence, left.ordinal) < (right.sequence, right.ordinal)
  }
}

/// A child of a run, and its outcome as its parent sees it.
public struct ChildRecord: Sendable, Hashable, Identifiable {
  /// Identifies the child's run.
  public var id: RunID
  /// Its place among the children of its parent.
  public var place: ChildPlace
  /// The name of its flow.
  public var flow: String
  /// Whether it continues without its parent.
  public var isDetached: Bool
  /// Its state now.
  public var state: RunState
  /// How it ended while its parent waited: completed, dead or cancelled; nil if it was unfinished.
  ///
  /// It never changes afterwards, not even by a retry of a dead child or a later end.
  public var end: RunState?
  /// The completion as JSON; nil unless the child's end is completed.
  public var completion: Data?
  /// The last error; nil unless the child's end is dead.
  public var error: String?

  /// Makes a record.
  public init(
    id: RunID, place: ChildPlace, flow: String, isDetached: Bool = false, state: RunState,
    end: RunState? = nil, completion: Data? = nil, error: String? = nil
  ) {
    self.id = id
    self.place = place
    self.flow = flow
    self.isDetached = isDetached
    self.state = state
    self.end = end
    self.completion = completion
    self.error = error
  }
}

/// A page of a run's children, in the order in which they were started.
public struct ChildPage: Sendable, Hashable {
  /// The children.
  public var children: [ChildRecord]
  /// The place after which the next page begins; nil for the last page.
  public var next: ChildPlace?

  /// Makes a page.
  public init(children: [ChildRecord], next: ChildPlace? = nil) {
    self.children = children
    self.next = next
  }
}
