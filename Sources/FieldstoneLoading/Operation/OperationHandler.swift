import FieldstoneCore

/// A handler of one event of an operation, with its executor.
struct OperationHandler: Sendable {
  enum Moment: Sendable {
    case start
    /// The work has returned a value or thrown an error.
    case comeback
    case success
    case failure
    case finish
  }

  let moment: Moment
  let executor: HandlerExecutor
  /// Receives the outcome, except at the start.
  let body: @Sendable (ErasedOutcome?) -> Void
}

extension OperationHandler {
  static func onMain(
    at moment: Moment, _ body: @escaping @MainActor (ErasedOutcome?) -> Void
  ) -> Self {
    Self(moment: moment, executor: .main) { outcome in
      MainDispatch.sync { body(outcome) }
    }
  }
}

extension [OperationHandler.Errand] {
  /// The handlers to call at an end, in order.
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
        OperationHandler.Errand(executor: handler.executor) { handler.body(outcome) }
      }
    }
  }
}

extension OperationHandler {
  /// A pending call of a handler.
  struct Errand: Sendable {
    let executor: HandlerExecutor
    let body: @Sendable () -> Void
  }
}

extension [OperationHandler.Errand] {
  /// Runs errands one at a time and waits for them; adjacent ones on one executor share one hop.
  ///
  /// - Parameter goesOn: called before each; false skips the rest.
  func wait(while goesOn: @Sendable () -> Bool) {
    for stretch in stretches() {
      stretch[0].executor.wait {
        for errand in stretch where goesOn() { errand.body() }
      }
    }
  }

  /// Runs errands one at a time without waiting for them, and then calls `done`.
  ///
  /// - Parameter beginsHere: whether errands on the current executor run before this returns.
  func run(beginsHere: Bool, then done: @escaping @Sendable () -> Void) {
    stretches()[...].run(beginsHere: beginsHere, then: done)
  }

  private func stretches() -> [[OperationHandler.Errand]] {
    var stretches: [[OperationHandler.Errand]] = []
    for errand in self {
      if let executor = stretches.last?.last?.executor, executor.isSame(as: errand.executor) {
        stretches[stretches.endIndex - 1].append(errand)
      } else {
        stretches.append([errand])
      }
    }
    return stretches
  }
}

extension ArraySlice<[OperationHandler.Errand]> {
  fileprivate func run(beginsHere: Bool, then done: @escaping @Sendable () -> Void) {
    guard let stretch = first else { return done() }
    let rest = dropFirst()
    let run: @Sendable () -> Void = {
      for errand in stretch { errand.body() }
      rest.run(beginsHere: beginsHere, then: done)
    }
    if beginsHere, stretch[0].executor.isHere { run() } else { stretch[0].executor.later(run) }
  }
}

/// An outcome with a type-erased value.
typealias ErasedOutcome = Outcome<any Sendable>

extension ErasedOutcome {
  /// The outcome with its original value type.
  func typed<Output: Sendable>() -> Outcome<Output> {
    switch self {
    case .success(let value as Output): .success(value)
    case .failure(let error): .failure(error)
    // Only the operation sets the value, so it can't have another type.
    case .success: .cancelled(.released)
    case .cancelled(let reason): .cancelled(reason)
    }
  }

  /// The error of a failure, read without a type lookup.
  var failure: (any Error)? {
    if case .failure(let error) = self { error } else { nil }
  }

  /// Whether it is a cancellation, read without a type lookup.
  var isCancellation: Bool {
    if case .cancelled = self { true } else { false }
  }
}
