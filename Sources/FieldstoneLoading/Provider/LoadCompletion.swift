import FieldstoneCore

/// The answering end of a load by callback: call it once, from anywhere.
public struct LoadCompletion<Output: Sendable>: Sendable {
  private let token: Token

  init(_ state: CallbackState<Output>) {
    token = Token(state)
  }

  /// Ends the load with a result.
  ///
  /// - Returns: whether this was the answer: false when there was one before, or when the load was
  ///   cancelled.
  @discardableResult
  public func callAsFunction(_ result: Result<Output, any Error>) -> Bool {
    token.end(with: Outcome(result))
  }

  /// Ends the load with an output or an error, as many callback APIs have them: the error counts
  /// where both are there, and neither is ``CallbackProviderError/emptyAnswer(at:)``.
  ///
  /// - Returns: as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(_ output: Output?, _ error: (any Error)?) -> Bool {
    if let error { return self(.failure(error)) }
    if let output { return self(.success(output)) }
    return self(.failure(CallbackProviderError.emptyAnswer(at: token.state.location)))
  }
}

extension LoadCompletion {
  /// What all copies of a completion share; its release is how a dropped one is noticed.
  private final class Token: Sendable {
    let state: CallbackState<Output>

    init(_ state: CallbackState<Output>) {
      self.state = state
    }

    func end(with outcome: Outcome<Output>) -> Bool {
      guard state.answer() else { return false }
      state.end(with: outcome)
      return true
    }

    deinit {
      guard state.answer() else { return }
      state.end(with: .failure(CallbackProviderError.completionDropped(at: state.location)))
    }
  }
}
