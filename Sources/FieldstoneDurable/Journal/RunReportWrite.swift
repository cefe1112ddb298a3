/// A worker's write of a run's reports.
public struct RunReportWrite: Sendable, Hashable {
  /// Identifies the run.
  public var run: RunID
  /// The fence of the claim of the reports.
  public var fence: Int
  /// The last progress; nil to keep the stored one.
  public var progress: RunProgress?
  /// The new lines, in order.
  public var lines: [RunLogLine]

  /// Makes a write.
  public init(run: RunID, fence: Int, progress: RunProgress? = nil, lines: [RunLogLine] = []) {
    self.run = run
    self.fence = fence
    self.progress = progress
    self.lines = lines
  }
}
