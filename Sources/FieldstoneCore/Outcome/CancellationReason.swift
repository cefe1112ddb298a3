/// Why a call was cancelled.
///
/// Cancellation is not an error: it never shows up as a failure, and it leaves values, cursors
/// and earlier errors as they were.
public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The caller cancelled it.
  case caller
  /// A newer call superseded it.
  case superseded
  /// Its policy rejects it while another call is under way.
  case busy
  /// The object that ran it was deallocated, or had been finished before.
  case released
  /// Its deadline has passed.
  case deadline
}

// Only this extension decides which errors count as a cancellation.
extension CancellationReason {
  /// The reason why work in the current task was cancelled; nil if it failed.
  ///
  /// - Parameter error: the error that the work threw. In a cancelled task every error is a
  ///   consequence of the cancellation: callback APIs and `URLSession` have their own errors for
  ///   it.
  package init?(thrown error: any Error) {
    if let reason = CancellationReason(typeOf: error) {
      self = reason
    } else if Task.isCancelled {
      self = .caller
    } else {
      return nil
    }
  }

  /// The reason that an error's type implies, for an error whose task is unknown.
  init?(typeOf error: any Error) {
    switch error {
    case is CancellationError: self = .caller
    case let cancelled as CallCancelled: self = cancelled.reason
    default: return nil
    }
  }
}

extension CancellationError {
  /// The error to rethrow for an error of work in the current task: `CancellationError` if the task
  /// is cancelled, otherwise the error itself.
  ///
  /// It corresponds to ``Outcome/init(running:)`` in throwing code.
  @usableFromInline
  package static func inPlace(of error: any Error) -> any Error {
    Task.isCancelled ? CancellationError() : error
  }
}

/// The error of a throwing form whose call was cancelled, but not by its own task.
///
/// If its own task was cancelled, the call throws `CancellationError`, as everywhere in Swift.
public struct CallCancelled: DescribedError, Hashable {
  /// Why the call ended.
  public let reason: CancellationReason

  /// Makes the error of a reason.
  public init(_ reason: CancellationReason) {
    self.reason = reason
  }

  /// Why the call ended, then the remedy if there is one.
  public var message: String {
    switch reason {
    case .caller: "The call was cancelled by its caller."
    case .superseded: "The call was cancelled because a newer one took its place."
    case .busy: "The call did not start because another one is under way; wait for it to end."
    case .released:
      "The call was cancelled because what ran it was released or finished; keep a reference, and "
        + "start no call after the end."
    case .deadline: "The call was cancelled because its deadline has passed; give it more time."
    }
  }
}
