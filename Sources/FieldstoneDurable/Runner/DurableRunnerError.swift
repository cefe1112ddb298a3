public import FieldstoneCore

/// The reasons for which a runner refuses a call.
public enum DurableRunnerError: DescribedError, Hashable {
  /// Two flows have the same name.
  case duplicateFlow(String)
  /// The stage's type belongs to no flow of this runner, or to no flow of the given name.
  case notRegistered(stage: String)
  /// The runner is already running.
  case runsAlready
  /// The work of a stage awaits a run, which would occupy the stage's place until that run is over.
  case awaitedInStage(RunID, of: RunID)
  /// An attempt at a stage took longer than ``FlowOptions/timeLimit`` allows.
  case timeLimitExceeded(Duration)

  /// Says what went wrong and what to do next.
  public var message: String {
    switch self {
    case .duplicateFlow(let name):
      "There are two flows with the name \(name); give each a name of its own."
    case .notRegistered(let stage):
      "No flow of this runner has the stage \(stage); add a DurableFlow for it, or name the right flow."
    case .runsAlready:
      "The runner runs already; call run() once, or make another runner."
    case .timeLimitExceeded(let limit):
      "The attempt took longer than its time limit of \(limit); make the stage do less at a time, or "
        + "raise FlowOptions.timeLimit."
    case .awaitedInStage(let awaited, let run):
      "A stage of run \(run) awaits run \(awaited), and would keep its place until that is over, perhaps "
        + "for ever; receive a signal instead, which the awaited run sends at its end."
    }
  }
}
