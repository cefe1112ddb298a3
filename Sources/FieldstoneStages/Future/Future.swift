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
/// The first call of `resolve` counts and later ones are ignored. If the current task is cancelled,
/// the future ends at once, and a later answer is dropped. So the closure of
/// ``Resolver/onCancel(_:)`` does not need the resolver, and must not capture it.
///
/// - Parameters:
///   - fileID: the place of the future, for messages; leave it to the compiler.
///   - line: the place of the future, for messages; leave it to the compiler.
///   - body: starts the work and passes `resolve` on; it runs immediately, before the first
///     suspension.
/// - Throws: the error of `resolve` or of `body`, ``FutureError/resolverDropped(at:)`` if the
///   resolver is released without a call, or `CancellationError`.
public func future<Value: Sendable>(
  fileID: StaticString = #fileID, line: UInt = #line,
  _ body: (Resolver<Value>) throws -> Void
) async throws -> Value {
  let promise = OutcomePromise<Value>()
  let work = WorkStop()
  // The work begins within, so that a cancellation stops it also while or before `body` runs.
  return try await withTaskCancellationHandler {
    try body(Resolver(promise: promise, work: work, location: "\(fileID):\(line)"))
    // The resolver is no longer retained here, so a callback API that drops it deallocates it.
    return try await promise.value
  } onCancel: {
    work.stop { promise.end(with: .cancelled(.caller)) }
  }
}

/// The resolver of a ``future(fileID:line:_:)``: call it once, from any thread.
public struct Resolver<Value: Sendable>: Sendable {
  // Shared by all copies; its deallocation reveals a dropped resolver.
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

  /// Resolves the future with the result of a closure.
  ///
  /// - Returns: nil if this was the answer; an error if the answer was ignored because the future
  ///   had one already. After a cancellation an answer is late, which is no error.
  @discardableResult
  public func callAsFunction(_ result: () throws -> Value) -> FutureError? {
    switch answer.end(with: Outcome(Result(catching: result))) {
    case .taken, .late: nil
    case .repeated(let count): .alreadyResolved(ignored: count, at: location)
    }
  }

  /// Resolves the future with a `Result`, which many callback APIs provide.
  ///
  /// - Returns: the same as ``callAsFunction(_:)``.
  @discardableResult
  public func callAsFunction(with result: Result<Value, any Error>) -> FutureError? {
    self { try result.get() }
  }

  /// Sets the closure that stops the work if the awaiting task is cancelled.
  ///
  /// It is called at most once, and immediately if the task is already cancelled.
  ///
  /// Capture what stops the work, such as the request, and not the resolver: a cancelled future has
  /// ended, and ignores an answer. The future keeps the closure, so one that captures the resolver
  /// keeps it from being released. If the resolver is never called, the future then hangs until its
  /// task is cancelled, instead of throwing ``FutureError/resolverDropped(at:)``.
  public func onCancel(_ stop: @escaping @Sendable () -> Void) {
    work.keep(stop)
  }

  /// The number of answers that were ignored because they were not the first.
  package var ignoredCount: Int {
    answer.ignoredCount
  }
}

/// A misuse of a resolver.
public enum FutureError: DescribedError, Hashable {
  /// The resolver was released without a call, so the awaiting task would have hung.
  case resolverDropped(at: String)

  /// The resolver was called again; this answer was ignored, with any others before it.
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
