/// How long a journal keeps finished runs, steps and audit rows.
public struct JournalRetention: Sendable, Hashable {
  /// The age at which completed and cancelled runs are deleted, with their steps.
  ///
  /// Dead and blocked runs stay, at any age.
  public var runs: Duration
  /// The number of newest steps that a remaining run keeps.
  public var stepsPerRun: Int
  /// The age at which audit rows are deleted.
  public var audit: Duration

  /// Makes a retention; by default 30 days, 10,000 steps and a year of audit rows.
  public init(
    runs: Duration = .seconds(30 * 86_400), stepsPerRun: Int = 10_000,
    audit: Duration = .seconds(365 * 86_400)
  ) {
    self.runs = runs
    self.stepsPerRun = stepsPerRun
    self.audit = audit
  }
}
