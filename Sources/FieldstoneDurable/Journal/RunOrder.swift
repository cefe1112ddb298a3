public import Foundation

/// The order of the runs on pages.
///
/// A run *stops* when it becomes completed, dead, blocked or cancelled. A ready or running run has
/// no stop time, and is on no page in the orders by stop time. Its record changes with each
/// checkpoint, which touches no index.
public enum RunOrder: String, Sendable, Hashable, Codable, CaseIterable {
  /// By identifier, and so by start time; the youngest first.
  case newestFirst
  /// By identifier; the oldest first.
  case oldestFirst
  /// Only stopped runs, by stop time; the latest first.
  case lastStoppedFirst
  /// Only stopped runs, by stop time; the earliest first.
  case firstStoppedFirst

  /// Whether it is an order by stop time.
  package var isByStop: Bool { self == .lastStoppedFirst || self == .firstStoppedFirst }
  /// Whether it is descending.
  package var isDescending: Bool { self == .newestFirst || self == .lastStoppedFirst }
}

/// The end of a page of runs, in the order of its query.
public struct RunPlace: Sendable, Hashable, Codable {
  /// The last run of the page.
  public var id: RunID
  /// When it stopped, for an order by stop time; nil in an order by identifiers.
  public var stoppedAt: Date?

  /// Makes a place; without a time it has no run after it in an order by stop time.
  public init(_ id: RunID, stoppedAt: Date? = nil) {
    self.id = id
    self.stoppedAt = stoppedAt
  }
}

extension RunPlace: LosslessStringConvertible {
  /// The identifier, followed by `@` and the seconds since the reference date if there is a time.
  public var description: String {
    stoppedAt.map { "\(id)@\($0.timeIntervalSinceReferenceDate)" } ?? id.description
  }

  /// Reads a place; nil for an invalid text.
  public init?(_ description: String) {
    let parts = description.split(
      separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let id = RunID(String(first)) else { return nil }
    self.init(id)
    guard parts.count > 1 else { return }
    guard let seconds = Double(parts[1]), seconds.isFinite else { return nil }
    stoppedAt = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension RunOrder {
  /// The place of a run in this order.
  package func place(of run: RunRecord) -> RunPlace {
    RunPlace(run.id, stoppedAt: isByStop ? run.changedAt : nil)
  }

  /// Whether a place comes before another one.
  package func isBefore(_ first: RunPlace, _ second: RunPlace) -> Bool {
    guard isByStop else { return isDescending ? first.id > second.id : first.id < second.id }
    guard let one = first.stoppedAt, let other = second.stoppedAt else { return false }
    if one == other { return isDescending ? first.id > second.id : first.id < second.id }
    return isDescending ? one > other : one < other
  }
}
