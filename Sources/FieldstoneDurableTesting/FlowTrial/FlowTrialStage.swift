public import FieldstoneDurable
public import Foundation

/// A stage that a run of a trial reached, with the number of times that its work began.
public struct FlowTrialStage: Sendable, Hashable {
  /// The name of its flow.
  public var flow: String
  /// The origin of its run; empty for the run of the trial.
  ///
  /// `2.0` is the first child of that run's stage 2, `2.0/1.3` is a child of that child, and `2+0`
  /// is the first run that stage 2 has started.
  public var origin: String
  /// The number of the stage in its run's chain; the first is 0.
  public var sequence: Int
  /// The name of its case, or the beginning of its JSON if it is not an enum.
  public var name: String
  /// The number of times that its work began.
  public var beginnings: Int
  /// The idempotency key of all attempts at it.
  public var idempotencyKey: String
}

extension FlowTrialStage: CustomStringConvertible {
  /// The flow, the run where it is another, the number and the name, as `order 2 charge`.
  public var description: String {
    let run = origin.isEmpty ? "" : " [\(origin)]"
    return "\(flow)\(run) \(sequence) \(name)"
  }
}

extension FlowTrialStage {
  /// The place of a stage, which is the same in every run of the trial, unlike identifiers.
  struct Place: Sendable, Hashable {
    var origin: String
    var sequence: Int
  }

  var place: Place { Place(origin: origin, sequence: sequence) }
}

/// A wait for a signal, to be answered or not.
public struct FlowTrialWait: Sendable {
  /// The name of the flow that waits.
  public let flow: String
  /// Names the run that waits.
  public let run: RunID
  /// The number of the stage that follows the wait.
  public let sequence: Int
  /// The name of the signal.
  public let signal: String
  /// When the wait ends without a signal; nil for never.
  public let until: Date?
  /// The wall time of the trial.
  public let now: Date
}
