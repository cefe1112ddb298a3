/// Takes what the work of a stage reports: the runner's part of a context.
protocol StageReports: Sendable {
  func report(_ fraction: Double, _ text: String?)
  func log(_ line: String)
}

extension DurableContext {
  /// Reports the progress of the run's work.
  ///
  /// ``RunHandle/reports``, `fieldstone runs show` and the inspector show it; it is stored with the
  /// run. The call does not wait for the journal: every quarter of a second the runner writes the
  /// latest progress, separately from checkpoints. A report may therefore be lost when the process
  /// dies, and it never makes an attempt fail. Reports under a lost claim are dropped.
  ///
  /// - Parameters:
  ///   - fraction: the completed fraction, clamped to 0…1; NaN counts as 0.
  ///   - text: a description, truncated to ``PayloadLimits/logLine`` bytes.
  public func report(_ fraction: Double, _ text: String? = nil) {
    reports.report(fraction, text)
  }

  /// Logs a line of the run.
  ///
  /// The newest ``PayloadLimits/logLines`` lines are stored with the run, each truncated to
  /// ``PayloadLimits/logLine`` bytes. The call does not wait for the journal: the runner writes
  /// lines every quarter of a second, separately from checkpoints. If there are more lines than
  /// that between two writes, the oldest are dropped, and a gap in the numbers counts them. See
  /// ``report(_:_:)`` for reports that may be lost.
  ///
  /// - Complexity: O(``PayloadLimits/logLine``), and O(``PayloadLimits/logLines``) where lines are dropped.
  public func log(_ line: String) {
    reports.log(line)
  }
}
