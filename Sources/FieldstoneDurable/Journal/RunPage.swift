/// A page of runs, the youngest first.
public struct RunPage: Sendable, Hashable {
  /// The runs.
  public var runs: [RunRecord]
  /// What to give as ``RunQuery/before`` for the page after this one; nil when it is the last.
  public var next: RunID?

  /// Makes a page.
  public init(runs: [RunRecord], next: RunID? = nil) {
    self.runs = runs
    self.next = next
  }
}
