public import FieldstoneCore
import Foundation

/// The error of an operation that failed without running its work.
public enum StatefulOperationError: DescribedError {
  /// The operation's class overrides neither `run()` nor `main()`.
  case nothingToRun(operation: String)

  /// A dependency failed, so the operation did not run; with the error of the first failed
  /// operation.
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

/// The error of a `run()` that is not overridden: the work is asynchronous, or a callback ends it.
struct RunsElsewhere: Error {}
