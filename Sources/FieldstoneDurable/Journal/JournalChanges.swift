/// A place in the order of a journal's changes; only the journal that made it can read it.
public struct JournalMark: Sendable, Hashable, Codable {
  /// The positions that the journal needs to find the place again.
  public var positions: [Int64]

  /// Makes a mark.
  public init(positions: [Int64]) {
    self.positions = positions
  }
}

/// The runs that have changed in a journal since a mark.
public struct JournalChanges: Sendable, Hashable {
  /// Where these changes end; nil when the journal keeps no order of its changes.
  public var mark: JournalMark?
  /// The runs that have changed, each with its state as it stands; nil when any run may have.
  public var runs: [RunID: RunState]?

  /// Makes an answer; without arguments it says that any run may have changed.
  public init(mark: JournalMark? = nil, runs: [RunID: RunState]? = nil) {
    self.mark = mark
    self.runs = runs
  }
}

extension Journal {
  /// Says that any run may have changed: then each handle that waits reads its run.
  public func changes(since mark: JournalMark?) async throws -> JournalChanges {
    JournalChanges()
  }

  /// The limits by default.
  public var limits: PayloadLimits { PayloadLimits() }
}
