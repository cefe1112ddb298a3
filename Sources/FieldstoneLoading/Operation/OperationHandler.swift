import FieldstoneCore

/// What is done at one moment of an operation, and where.
struct OperationHandler: Sendable {
  enum Moment: Sendable {
    case start
    /// The work has come back, with a value or with an error.
    case comeback
    case success
    case failure
    case finish
  }

  let moment: Moment
  let place: CallbackPlace
  /// Gets the outcome at every moment but the start.
  let body: @Sendable (ErasedOutcome?) -> Void
}

extension OperationHandler {
  static func onMain(
    at moment: Moment, _ body: @escaping @MainActor (ErasedOutcome?) -> Void
  ) -> Self {
    Self(moment: moment, place: .main) { outcome in
      MainActor.assumeIsolated { body(outcome) }
    }
  }
}

extension [CallbackPlace.Errand] {
  /// What to tell of an end, and in which order.
  init(
    _ handlers: [OperationHandler], ending outcome: ErasedOutcome, didWork: Bool
  ) {
    var moments: [OperationHandler.Moment] = didWork ? [.comeback] : []
    switch outcome {
    case .success: moments += [.success, .finish]
    case .failure: moments += [.failure, .finish]
    case .cancelled: moments = [.finish]
    }
    self = moments.flatMap { moment in
      handlers.filter { $0.moment == moment }.map { handler in
        CallbackPlace.Errand(place: handler.place) { handler.body(outcome) }
      }
    }
  }
}

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
