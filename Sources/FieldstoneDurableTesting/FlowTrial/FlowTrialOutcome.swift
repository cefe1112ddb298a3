public import FieldstoneCore
import FieldstoneDurable
public import Foundation

/// How a run of a trial ended.
public enum FlowTrialOutcome: Sendable, Hashable {
  /// With its completion, as JSON.
  case completed(Data)
  /// Its attempts were used up; the error of the last.
  case dead(error: String)
  /// At its deadline, or by a stage.
  case cancelled(CancellationReason)
  /// The flow could not read its stage from the journal.
  case blocked(error: String)
  /// Not at all, though the undisturbed run has ended.
  case unended(FlowTrialError)

  /// Reads the completion.
  ///
  /// - Throws: `DecodingError` when it is of another type; ``FlowTrialError/notCompleted(_:)``.
  public func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    guard case .completed(let json) = self else { throw FlowTrialError.notCompleted(description) }
    return try StageJSON.value(type, from: json)
  }
}

extension FlowTrialOutcome: CustomStringConvertible {
  /// How it ended, in a line.
  public var description: String {
    switch self {
    case .completed(let json): "completed with \(String(decoding: json, as: UTF8.self))"
    case .dead(let error): "dead: \(error)"
    case .cancelled(let reason): "cancelled (\(reason))"
    case .blocked(let error): "blocked: \(error)"
    case .unended(let error): "without an end: \(error.message)"
    }
  }
}

extension FlowTrialOutcome {
  /// How a run ended that nothing more happens to.
  init(_ record: RunRecord) {
    switch record.state {
    case .completed: self = .completed(record.payload)
    case .cancelled: self = .cancelled(record.cancellationReason ?? .caller)
    case .blocked: self = .blocked(error: record.error ?? "no reason is known")
    case .dead, .ready, .running: self = .dead(error: record.error ?? "no reason is known")
    }
  }
}
