public import FieldstoneCore
import FieldstoneDurable
public import Foundation

/// The outcome of a run of a trial.
public enum FlowTrialOutcome: Sendable, Hashable {
  /// Completed, with the completion as JSON.
  case completed(Data)
  /// Dead, with the error of the last attempt.
  case dead(error: String)
  /// Cancelled, at its deadline or by a stage.
  case cancelled(CancellationReason)
  /// Blocked: the flow could not decode its stage from the journal.
  case blocked(error: String)
  /// Not ended, although the undisturbed run has ended.
  case unended(FlowTrialError)

  /// Decodes the completion.
  ///
  /// - Throws: `DecodingError` if it has another type; ``FlowTrialError/notCompleted(_:)``.
  public func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    guard case .completed(let json) = self else { throw FlowTrialError.notCompleted(description) }
    return try StageJSON.value(type, from: json)
  }
}

extension FlowTrialOutcome: CustomStringConvertible {
  /// The outcome in one line.
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
  /// Whether two outcomes are equal, with a comparison of completions.
  func isEqual(to other: Self, by completionsAreEqual: (Data, Data) -> Bool) -> Bool {
    guard case (.completed(let left), .completed(let right)) = (self, other) else {
      return self == other
    }
    return completionsAreEqual(left, right)
  }

  /// The outcome of a run that has stopped.
  init(_ record: RunRecord) {
    switch record.state {
    case .completed: self = .completed(record.payload)
    case .cancelled: self = .cancelled(record.cancellationReason ?? .caller)
    case .blocked: self = .blocked(error: record.error ?? "no reason is known")
    case .dead, .ready, .running: self = .dead(error: record.error ?? "no reason is known")
    }
  }
}
