import FieldstoneCore

/// The answering end of a load by callback: call it once, from anywhere.
public struct LoadCompletion<Output: Sendable>: Sendable {
  // Shared by all copies; its release is how a dropped completion is noticed.
  private let answer: CallbackAnswer<Output>
  private let location: String

  init(_ answer: CallbackAnswer<Output>, location: String) {
    self.answer = answer
    self.location = location
  }

  /// Ends the load with a result.
  ///
  /// - Returns: whether this was the answer: false when there was one before, or when the load was
  ///   cancelled.
  @discardableResult
  public func callAsFunction(_ result: Result<Output, any Error>) -> Bool {
    answer.end(with: Outcome(result)) == .taken
  }

  /// Ends the load with an output or an error, as many callback APIs have them: the error counts
  /// where both are there, and neither is ``CallbackProviderError/emptyAnswer(at:)``.
  ///
  /// - Returns: as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(_ output: Output?, _ error: (any Error)?) -> Bool {
    if let error { return self(.failure(error)) }
    if let output { return self(.success(output)) }
    return self(.failure(CallbackProviderError.emptyAnswer(at: location)))
  }
}
