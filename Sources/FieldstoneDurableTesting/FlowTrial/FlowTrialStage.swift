public import FieldstoneDurable
public import Foundation

/// A stage that a run of a trial came to, and how often its work began.
public struct FlowTrialStage: Sendable, Hashable {
  /// The name of its flow.
  public var flow: String
  /// How its run came to be: empty for the run of the trial, `2.0` for the first child of that run's stage
  /// 2, `2.0/1.3` for a child of that child, and `2+0` for the first run that stage 2 has started.
  public var origin: String
  /// The number of the stage in its run's chain; the first is 0.
  public var sequence: Int
  /// The name of its case, or the beginning of its JSON where it is no enum.
  public var name: String
  /// How often its work began.
  public var beginnings: Int
  /// The key that every attempt at it had.
  public var idempotencyKey: String

  /// Makes a stage.
  public init(
    flow: String, origin: String = "", sequence: Int, name: String, beginnings: Int = 1,
    idempotencyKey: String
  ) {
    self.flow = flow
    self.origin = origin
    self.sequence = sequence
    self.name = name
    self.beginnings = beginnings
    self.idempotencyKey = idempotencyKey
  }
}

extension FlowTrialStage: CustomStringConvertible {
  /// The flow, the run where it is another, the number and the name, as `order 2 charge`.
  public var description: String {
    let run = origin.isEmpty ? "" : " [\(origin)]"
    return "\(flow)\(run) \(sequence) \(name)"
  }
}

extension FlowTrialStage {
  /// The same in every run of the trial, whatever identifiers these have.
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
