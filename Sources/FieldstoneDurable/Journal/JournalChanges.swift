/// A position in the order of a journal's changes; only the journal that made it can read it.
public struct JournalMark: Sendable, Hashable, Codable {
  /// The values from which the journal finds the position again.
  public var positions: [Int64]

  /// Makes a mark.
  public init(positions: [Int64]) {
    self.positions = positions
  }
}

/// The runs that have changed in a journal since a mark.
public struct JournalChanges: Sendable, Hashable {
  /// The end of these changes; nil if the journal has no order of changes.
  public var mark: JournalMark?
  /// The changed runs with their current states; nil if any run may have changed.
  public var runs: [RunID: RunState]?

  /// Makes an answer; without arguments it reports that any run may have changed.
  public init(mark: JournalMark? = nil, runs: [RunID: RunState]? = nil) {
    self.mark = mark
    self.runs = runs
  }
}

extension Journal {
  /// Reports that any run may have changed: then each waiting handle reads its run.
  public func changes(since mark: JournalMark?) async throws -> JournalChanges {
    JournalChanges()
  }

  /// The default limits.
  public var limits: PayloadLimits { PayloadLimits() }
}
