import FieldstoneCore

/// The answering end of a ``future(fileID:line:_:)``: call it once, from anywhere.
public struct Resolver<Value: Sendable>: Sendable {
  // Shared by all copies; its release is how a dropped resolver is noticed.
  private let answer: CallbackAnswer<Value>
  private let work: WorkStop
  private let location: String

  init(promise: OutcomePromise<Value>, work: WorkStop, location: String) {
    answer = CallbackAnswer(
      to: work, dropped: { FutureError.resolverDropped(at: location) },
      deliver: { promise.end(with: $0) })
    self.work = work
    self.location = location
  }

  /// Resolves the future with what a closure returns or throws.
  ///
  /// - Returns: nil when this was the answer; the error that says why it was ignored when the
  ///   future had an answer already. After a cancellation an answer is late, which is no error.
  @discardableResult
  public func callAsFunction(_ result: () throws -> Value) -> FutureError? {
    switch answer.end(with: Outcome(Result(catching: result))) {
    case .taken, .late: nil
    case .repeated(let count): .alreadyResolved(ignored: count, at: location)
    }
  }

  /// Resolves the future with a result, as many callback APIs have one at hand.
  ///
  /// - Returns: as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(with result: Result<Value, any Error>) -> FutureError? {
    self { try result.get() }
  }

  /// Says how to stop the work when the task that awaits is cancelled; called at most once, and
  /// at once when it is cancelled already.
  public func onCancel(_ stop: @escaping @Sendable () -> Void) {
    work.keep(stop)
  }

  /// How many answers were ignored because there was one already.
  public var ignoredCount: Int {
    answer.ignoredCount
  }
}
