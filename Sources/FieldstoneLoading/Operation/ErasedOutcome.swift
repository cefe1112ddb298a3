import FieldstoneCore

/// An outcome whose value has lost its type.
typealias ErasedOutcome = Outcome<any Sendable>

extension ErasedOutcome {
  /// The outcome with the type that its value had.
  func typed<Output: Sendable>() -> Outcome<Output> {
    switch self {
    case .success(let value as Output): .success(value)
    case .failure(let error): .failure(error)
    // No other code puts a value in: another type can't be there.
    case .success: .cancelled(.released)
    case .cancelled(let reason): .cancelled(reason)
    }
  }

  /// The error of a failure, found without looking the type up.
  var failure: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// Whether it is a cancellation, found without looking the type up.
  var isCancellation: Bool {
    if case .cancelled = self { true } else { false }
  }
}
