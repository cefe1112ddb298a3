import FieldstoneCore
import Synchronization

/// The answering end of a ``future(fileID:line:_:)``: call it once, from anywhere.
public struct Resolver<Value: Sendable>: Sendable {
  private let token: Token

  init(promise: OutcomePromise<Value>, cancellation: ResolverCancellation, location: String) {
    token = Token(promise: promise, cancellation: cancellation, location: location)
  }

  /// Resolves the future with what a closure returns or throws.
  ///
  /// - Returns: nil when this was the answer; the error that says why it was ignored when the
  ///   future had an answer already. After a cancellation an answer is late, which is no error.
  @discardableResult
  public func callAsFunction(_ result: () throws -> Value) -> FutureError? {
    token.resolve(with: Outcome(Result(catching: result)))
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
    token.cancellation.register(stop)
  }

  /// How many answers were ignored because there was one already.
  public var ignoredCount: Int {
    token.ignored.load(ordering: .relaxed)
  }
}

extension Resolver {
  /// What all copies of a resolver share; its release is how a dropped resolver is noticed.
  private final class Token: Sendable {
    let promise: OutcomePromise<Value>
    let cancellation: ResolverCancellation
    let location: String
    let isAnswered = Atomic(false)
    let ignored = Atomic(0)

    init(promise: OutcomePromise<Value>, cancellation: ResolverCancellation, location: String) {
      self.promise = promise
      self.cancellation = cancellation
      self.location = location
    }

    func resolve(with outcome: Outcome<Value>) -> FutureError? {
      if isAnswered.exchange(true, ordering: .acquiringAndReleasing) {
        let count = ignored.add(1, ordering: .relaxed).newValue
        return .alreadyResolved(ignored: count, at: location)
      }
      promise.end(with: outcome)
      cancellation.end()
      return nil
    }

    deinit {
      promise.end(with: .failure(FutureError.resolverDropped(at: location)))
    }
  }
}
