import FieldstoneCore

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
/// - Throws: what `resolve` was called with, what `body` throws, ``FutureError/resolverDropped(at:)``
///   when the resolver is released without a call, or `CancellationError`.
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
