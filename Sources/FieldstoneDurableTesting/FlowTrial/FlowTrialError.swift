public import FieldstoneCore
import FieldstoneDurable

/// The reasons that a trial of a flow can't continue.
public enum FlowTrialError: DescribedError, Hashable {
  /// The flow awaits a signal of one of these names, and no answer sends any, without a time-out.
  case awaitsSignals([String], at: FlowTrialStage)
  /// More attempts at stages have begun than the options allow; this is the last.
  case doesNotEnd(after: Int, at: FlowTrialStage)
  /// Nothing is left that could make the flow continue.
  case standsStill(at: FlowTrialStage, reason: String)
  /// The trial's task was cancelled during the work of a stage.
  case stillAtWork(FlowTrialStage)
  /// A stage writes at its checkpoint, but the trial has no transaction.
  case noTransaction(at: FlowTrialStage)
  /// A run did not reach the stage at which it was to be killed.
  case notRepeated(FlowTrialStage)
  /// A completion was requested where there is none.
  case notCompleted(String)

  /// Says what happened and what to do next.
  public var message: String {
    switch self {
    case .awaitsSignals(let names, let stage):
      "\(stage) awaits the signal \(names.quoted(separator: " or ")), which nobody sends; answer it by "
        + "answering(_:with:), or give the wait a time-out."
    case .doesNotEnd(let count, let stage):
      "The flow has not ended after \(count) attempts at stages, the last at \(stage); let it come to its "
        + "completion, or raise FlowTrialOptions.maximumStages."
    case .standsStill(let stage, let reason):
      "\(stage) does not go on, and no time that is skipped changes that. \(reason)"
    case .stillAtWork(let stage):
      "The trial was cancelled while \(stage) was at work; let what never answers sleep by the trial's clock, "
        + "which passes the time limit of the stage at once."
    case .noTransaction(let stage):
      "\(stage) writes at its checkpoint, and the trial's journal has no transactions; give it one by "
        + "writing(_:)."
    case .notRepeated(let stage):
      "The flow did not come to \(stage) again, so it takes another way each time; take times from "
        + "context.now, and give it chance by a seed."
    case .notCompleted(let end):
      "There is no completion, as the run ended \(end); look at the report first."
    }
  }
}
