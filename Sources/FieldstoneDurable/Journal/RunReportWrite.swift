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
  /// Whether the worker has given the run back since: the reports count under a later fence, too.
  ///
  /// False while it has the run, and if it has lost it.
  package var isGivenBack = false

  /// Makes a write.
  public init(run: RunID, fence: Int, progress: RunProgress? = nil, lines: [RunLogLine] = []) {
    self.run = run
    self.fence = fence
    self.progress = progress
    self.lines = lines
  }

  /// What is stored of it for a run with this fence; nil if nothing is.
  ///
  /// What comes late of a lost claim is dropped, but for lines of the runner: they say that a worker
  /// was refused.
  package func kept(atFence fence: Int) -> Self? {
    if self.fence == fence || (isGivenBack && self.fence < fence) { return self }
    let lines = lines.filter(\.isOfRunner)
    return self.fence > fence || lines.isEmpty
      ? nil : Self(run: run, fence: self.fence, lines: lines)
  }
}
