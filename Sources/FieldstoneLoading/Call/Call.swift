public import FieldstoneCore
public import Observation

/// A started call, which can be cancelled and awaited.
///
/// It ends exactly once. A cancelled call ends at once, even if the provider ignores the
/// cancellation; a late result is dropped. It need not be kept: releasing it cancels nothing. Reads
/// of ``currentOutcome`` are tracked.
@MainActor
public final class Call<Value: Sendable>: AnyCall {
  /// The outcome of the call, or nil before its end.
  public var currentOutcome: Outcome<Value>? { trackedOutcome?.typed() }

  /// The outcome, awaited until the call ends, even if the waiting task is cancelled.
  public var outcome: Outcome<Value> {
    get async { await anyOutcome.typed() }
  }

  /// The value, awaited until the call ends.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` if the call was cancelled;
  ///   `CancellationError` at once if the waiting task is cancelled, while the call continues.
  public var value: Value {
    get async throws { try await anyValue.value(as: Value.self) }
  }
}

/// A started call with a value of any type, which can be cancelled.
///
/// Code that keeps calls with different types of values, such as in an array, holds them as this.
/// Only a ``Call`` has the outcome.
@MainActor
public class AnyCall: Observable {
  private var handle = CallHandle<any LoadedValue>()

  private(set) final var handlers: [CallHandler]
  private(set) final var options: CallOptions?
  /// The number of the load it waits for; nil before the start and after the end.
  private(set) final var load: Int?
  private final var cancelCall: (@MainActor (AnyCall) -> Void)?

  /// The call's own work if it shares a load and can continue alone after a failure of that load.
  private(set) final var ownWork: CallWork?
  /// The task of that work, with the task-local values of the call's caller.
  private(set) final var ownTask: DeferredTask?

  init(handlers: [CallHandler], options: CallOptions?) {
    self.handlers = handlers
    self.options = options
  }

  /// Cancels the call; a no-op if it has ended.
  ///
  /// The outcome is set when this returns; handlers are called afterwards.
  public final func cancel() {
    cancelCall?(self)
  }
}

// MARK: For the call with a value

extension AnyCall {
  final var trackedOutcome: Outcome<any LoadedValue>? { handle.trackedOutcome() }

  final var anyOutcome: Outcome<any LoadedValue> {
    get async { await handle.ending().outcome }
  }

  final var anyValue: any LoadedValue {
    get async throws { try await handle.ending().value }
  }
}

// MARK: For the coordinator

extension AnyCall {
  final var isUnderWay: Bool { handle.isUnderWay }

  /// Gives the call a trace, before it starts or ends.
  final func follow(_ trace: ActivityTrace?) {
    handle.follow(trace)
  }

  /// The number of the call for observers of activities; nil without one.
  final var activity: Int? { handle.activity }

  final func noteRetry(_ retry: UpcomingRetry) {
    handle.noteRetry(attempt: retry.attempt, after: retry.error, delay: retry.delay)
  }

  /// Whether an error is reported to the caller only.
  final func ignores(_ error: any Error) -> Bool {
    options?.ignores(error) ?? false
  }

  final func start(
    in load: Int, waiting: Bool, cancel: @escaping @MainActor (AnyCall) -> Void
  ) {
    self.load = load
    cancelCall = cancel
    handle.start(waiting: waiting)
  }

  /// Keeps the work for the case that the shared load fails.
  final func keep(_ work: CallWork) {
    guard work.canGoOnAlone else { return }
    ownWork = work
    ownTask = DeferredTask()
  }

  /// Moves to another load; the call stays under way.
  final func move(to load: Int) {
    self.load = load
  }

  /// Releases the kept work, because the call continues alone with it.
  final func forgetOwnWork() {
    ownWork = nil
    ownTask = nil
  }

  /// Ends the wait, so that the call runs.
  ///
  /// - Returns: whether the call was waiting.
  final func proceed() -> Bool {
    handle.proceed()
  }

  /// Ends the call with the outcome of its work, or by a cancellation.
  ///
  /// - Returns: whether this ended the call.
  final func end(with outcome: Outcome<any LoadedValue>) -> Bool {
    guard handle.end(with: outcome) else { return false }
    load = nil
    cancelCall = nil
    forgetOwnWork()
    return true
  }

  /// Notifies the observers of the state.
  final func noteEnd() {
    handle.notifyObservers()
  }

  /// Releases the handlers.
  final func forget() {
    handlers = []
    options = nil
  }
}

/// The value of a call, with a type that only the two ends of the call know.
///
/// The code between them has no type parameters: looking up generic types at run time took a third
/// of the time of a call.
protocol LoadedValue: AnyObject, Sendable {}

/// The box of a value.
final class Loaded<Value: Sendable>: LoadedValue {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension LoadedValue {
  /// The value; its type must be the value type of its integrator.
  func value<Value: Sendable>(as type: Value.Type) -> Value {
    // Debug builds check the type.
    unsafeDowncast(self, to: Loaded<Value>.self).value
  }
}

extension Outcome where Success == any LoadedValue {
  /// The same outcome with the unboxed value.
  func typed<Value: Sendable>(as type: Value.Type = Value.self) -> Outcome<Value> {
    switch self {
    case .success(let loaded): .success(loaded.value(as: type))
    case .failure(let error): .failure(error)
    case .cancelled(let reason): .cancelled(reason)
    }
  }
}
