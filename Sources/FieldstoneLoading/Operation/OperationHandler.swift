import FieldstoneCore

/// A handler of one moment of an operation, and its executor.
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
  let executor: HandlerExecutor
  /// Gets the outcome at every moment but the start.
  let body: @Sendable (ErasedOutcome?) -> Void
}

extension OperationHandler {
  static func onMain(
    at moment: Moment, _ body: @escaping @MainActor (ErasedOutcome?) -> Void
  ) -> Self {
    Self(moment: moment, executor: .main) { outcome in
      MainActor.assumeIsolated { body(outcome) }
    }
  }
}

extension [OperationHandler.Errand] {
  /// The handlers to call for an end, in their order.
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
  /// A call of a handler that is due.
  struct Errand: Sendable {
    let executor: HandlerExecutor
    let body: @Sendable () -> Void
  }
}

extension [OperationHandler.Errand] {
  /// Runs errands one after the other and waits for them, with one hop for neighbours of one executor.
  ///
  /// - Parameter goesOn: asked before each; false leaves out the rest.
  func wait(while goesOn: @Sendable () -> Bool) {
    for stretch in stretches() {
      stretch[0].executor.wait {
        for errand in stretch where goesOn() { errand.body() }
      }
    }
  }

  /// Runs errands one after the other without waiting for them, and then a last thing.
  ///
  /// - Parameter beginsHere: whether those whose executor is here run before this returns.
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
