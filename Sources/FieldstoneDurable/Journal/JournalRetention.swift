/// What a journal keeps of what is over.
public struct JournalRetention: Sendable, Hashable {
  /// Completed and cancelled runs older than this go, with their steps.
  ///
  /// Dead and blocked runs stay, however long.
  public var runs: Duration
  /// Of a run that stays, so many of the newest steps are kept.
  public var stepsPerRun: Int

  /// Makes a retention; thirty days and ten thousand steps unless told otherwise.
  public init(runs: Duration = .seconds(30 * 86_400), stepsPerRun: Int = 10_000) {
    self.runs = runs
    self.stepsPerRun = stepsPerRun
  }
}
