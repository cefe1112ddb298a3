public import FieldstoneCore
import Foundation

/// Why an operation failed without its work being asked.
public enum StatefulOperationError: DescribedError {
  /// The operation's class overrides neither `run()` nor `main()`.
  case nothingToRun(operation: String)

  /// A dependency failed, and the operation does not run after that; with the error of the first
  /// operation in the line.
  case dependencyFailed(any Error)

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .nothingToRun(let operation):
      "\(operation) has nothing to run; override run(), or main() and call finish(_:)."
    case .dependencyFailed(let error):
      "The operation did not run because one that it depends on failed: "
        + error.localizedDescription
    }
  }

  /// The error of the dependency.
  public var underlyingErrors: [any Error] {
    switch self {
    case .nothingToRun: []
    case .dependencyFailed(let error): [error]
    }
  }
}

/// The error of a `run()` that is not overridden: the work is asynchronous, or calls back.
struct RunsElsewhere: Error {}
