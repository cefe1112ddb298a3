/// Why a call was cancelled.
///
/// Cancellation is not an error: it never shows up as a failure, and it leaves values, cursors
/// and earlier errors as they were.
public enum CancellationReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The caller cancelled it.
  case caller
  /// A newer call took its place.
  case superseded
  /// Its policy does not let it run beside the call that was already there.
  case busy
  /// The object that ran it was released.
  case released
  /// It had a deadline, which has passed.
  case deadline
}

// What counts as a cancellation is decided here and nowhere else.
extension CancellationReason {
  /// The reason why work in the current task was cancelled; nil when it failed.
  ///
  /// - Parameter error: the error that the work has thrown. In a cancelled task every error is a
  ///   consequence of the cancellation: callback APIs and `URLSession` have errors of their own.
  package init?(thrown error: any Error) {
    if let reason = CancellationReason(typeOf: error) {
      self = reason
    } else if Task.isCancelled {
      self = .caller
    } else {
      return nil
    }
  }

  /// The reason that an error's type tells, when it is not known which task has thrown it.
  init?(typeOf error: any Error) {
    switch error {
    case is CancellationError: self = .caller
    case let cancelled as CallCancelled: self = cancelled.reason
    default: return nil
    }
  }
}

extension CancellationError {
  /// The error to throw on for what work in the current task has thrown: `CancellationError` when
  /// the task is cancelled, and otherwise the error itself.
  ///
  /// This is ``Outcome/init(running:)`` for code that throws.
  @usableFromInline
  package static func inPlace(of error: any Error) -> any Error {
    Task.isCancelled ? CancellationError() : error
  }
}

/// The error of a throwing form whose call was not ended by its own task.
///
/// A call whose own task was cancelled throws `CancellationError`, as everywhere in Swift.
public struct CallCancelled: DescribedError, Hashable {
  /// Why the call ended.
  public let reason: CancellationReason

  /// Makes the error for a reason.
  public init(_ reason: CancellationReason) {
    self.reason = reason
  }

  /// A sentence that says why the call ended, and what to do where something can be done.
  public var message: String {
    switch reason {
    case .caller: "The call was cancelled by its caller."
    case .superseded: "The call was cancelled because a newer one took its place."
    case .busy: "The call did not start because another one is under way; wait for it to end."
    case .released: "The call was cancelled because what ran it was released; keep a reference."
    case .deadline: "The call was cancelled because its deadline has passed; give it more time."
    }
  }
}
