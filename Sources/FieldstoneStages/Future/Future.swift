public import FieldstoneCore

/// Awaits the answer of a callback API. (Seed: Grain's `Task.future`.)
///
/// ```swift
/// case .get(let url):
///   let (data, response) = try await future { resolve in
///     let task = URLSession.shared.dataTask(with: url) { data, response, error in
///       resolve {
///         if let error { throw error }
///         return (data, response)
///       }
///     }
///     resolve.onCancel { task.cancel() }
///     task.resume()
///   }
/// ```
///
/// The first call of `resolve` counts and any other is ignored. When the current task is cancelled
/// the future ends at once, and an answer that comes later is dropped.
///
/// - Parameters:
///   - fileID: where the future is, for messages; left to the compiler.
///   - line: where the future is, for messages; left to the compiler.
///   - body: starts the work and passes `resolve` on; it runs here, before anything is awaited.
/// - Throws: the error of `resolve` or of `body`, ``FutureError/resolverDropped(at:)`` when the
///   resolver is released without a call, or `CancellationError`.
public func future<Value: Sendable>(
  fileID: StaticString = #fileID, line: UInt = #line,
  _ body: (Resolver<Value>) throws -> Void
) async throws -> Value {
  let promise = OutcomePromise<Value>()
  let work = WorkStop()
  try body(Resolver(promise: promise, work: work, location: "\(fileID):\(line)"))
  // Nothing here holds the resolver from now on: dropped by the callback API, it says so.
  return try await withTaskCancellationHandler {
    try await promise.value
  } onCancel: {
    work.stop { promise.end(with: .cancelled(.caller)) }
  }
}

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
  package var ignoredCount: Int {
    answer.ignoredCount
  }
}

/// An error of misused resolvers.
public enum FutureError: DescribedError, Hashable {
  /// The resolver was released and never called: without this error the task that
  /// awaits it would hang for ever.
  case resolverDropped(at: String)

  /// The resolver was called again; this answer was ignored, as were others before it.
  case alreadyResolved(ignored: Int, at: String)

  /// The failure, its place in the code, and the remedy.
  public var message: String {
    switch self {
    case .resolverDropped(let location):
      "The resolver of the future at \(location) was released without being called; "
        + "call it on every path of the callback."
    case .alreadyResolved(let count, let location):
      "The resolver of the future at \(location) had been called before; "
        + "\(count) later answer\(count == 1 ? " was" : "s were") ignored. Call it once."
    }
  }
}
