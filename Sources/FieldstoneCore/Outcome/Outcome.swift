/// The end of a call: it succeeded, it failed, or it was cancelled.
///
/// Every call of Fieldstone ends exactly once, with an outcome: never silently, never twice.
public enum Outcome<Success> {
  /// The call returned a value.
  case success(Success)
  /// The call failed with an error, which is never a cancellation.
  case failure(any Error)
  /// The call was cancelled, which is not an error.
  case cancelled(CancellationReason)

  /// Awaits work in the current task, and classifies how it ends.
  ///
  /// If the current task is cancelled, any error counts as a cancellation by the caller, such as
  /// `URLError.cancelled`. Otherwise `CancellationError` counts as cancelled by the caller,
  /// ``CallCancelled`` keeps its reason, and any other error is a failure. A value is a success,
  /// even in a cancelled task.
  ///
  /// The work runs on the caller's actor.
  public init(running work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch {
      self.init(thrown: error)
    }
  }

  /// Runs synchronous work in the current task, and classifies its end as ``init(running:)`` does.
  ///
  /// Outside a task, only the error's type decides.
  public init(catching work: () throws -> Success) {
    do {
      self = .success(try work())
    } catch {
      self.init(thrown: error)
    }
  }

  /// Classifies a result of work that ran elsewhere, such as a callback's.
  ///
  /// The current task is not consulted. `CancellationError` counts as cancelled by the caller,
  /// ``CallCancelled`` keeps its reason, and any other error is a failure.
  public init(_ result: Result<Success, any Error>) {
    switch result {
    case .success(let value):
      self = .success(value)
    case .failure(let error):
      self = CancellationReason(typeOf: error).map { .cancelled($0) } ?? .failure(error)
    }
  }

  private init(thrown error: any Error) {
    self = CancellationReason(thrown: error).map { .cancelled($0) } ?? .failure(error)
  }

  /// The value of a success.
  ///
  /// - Throws: the error of a failure. For a cancelled call: `CancellationError` if the current
  ///   task is cancelled, otherwise ``CallCancelled`` with the reason.
  public func get() throws -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let error): throw error
    case .cancelled(let reason):
      if Task.isCancelled { throw CancellationError() }
      throw CallCancelled(reason)
    }
  }

  /// The value of a success, otherwise nil.
  public var value: Success? {
    guard case .success(let value) = self else { return nil }
    return value
  }

  /// The error of a failure, otherwise nil; a cancellation has none.
  public var error: (any Error)? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// The reason of a cancellation, otherwise nil.
  public var cancellation: CancellationReason? {
    guard case .cancelled(let reason) = self else { return nil }
    return reason
  }

  /// The same outcome with a transformed value.
  ///
  /// An error that `transform` throws is classified as in ``init(catching:)``.
  public func map<Other>(_ transform: (Success) throws -> Other) -> Outcome<Other> {
    switch self {
    case .success(let value): Outcome<Other>(catching: { try transform(value) })
    case .failure(let error): .failure(error)
    case .cancelled(let reason): .cancelled(reason)
    }
  }
}

extension Outcome: Sendable where Success: Sendable {}
