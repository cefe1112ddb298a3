import FieldstoneCore
import FieldstoneDurable
import Foundation

/// The parts that all runs of a trial share.
struct TrialPlan<World: Sendable>: Sendable {
  /// Identifies the run; the same in all runs of the trial.
  let id: RunID
  let options: FlowTrialOptions
  let world: @Sendable (TimeSource) async throws -> World
  let flows: @Sendable (World) throws -> [DurableFlow]
  /// Whether two completions are equal.
  let completionsAreEqual: @Sendable (Data, Data) -> Bool
  /// Starts the run under an identifier.
  let start: @Sendable (DurableRunner, RunID) async throws -> Void
  var answers: [String: @Sendable (FlowTrialWait) async throws -> (any Encodable & Sendable)?] = [:]
  var effects: (@Sendable (World) async throws -> TrialEffects)?
  var transaction:
    (@Sendable (World, @escaping @Sendable (Any) throws -> Void) async throws -> Void)?
}

/// The type-erased effects of a run.
struct TrialEffects: Sendable, CustomStringConvertible {
  let description: String
  private let value: any Sendable
  private let isEqual: @Sendable (any Sendable) -> Bool

  init<Value: Equatable & Sendable>(_ value: Value) {
    self.value = value
    description = String(describing: value)
    isEqual = { $0 as? Value == value }
  }

  static func areEqual(_ left: Self?, _ right: Self?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isEqual(right.value)
  }
}

/// The result of one run of a trial.
struct TrialResult: Sendable {
  var path: [FlowTrialStage]
  var checkpoints: [FlowTrialStage]
  var transitions: [TrialTransition]
  var outcome: FlowTrialOutcome
  var effects: TrialEffects?
  var skippedTime: Duration
  var report = RunReport()
}
