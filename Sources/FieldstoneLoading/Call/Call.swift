public import FieldstoneCore
public import Observation

/// A call that was started: something to cancel and to await.
///
/// It ends exactly once. When it is cancelled it ends at once, also when the provider ignores the
/// cancellation; a late result is dropped. It need not be kept: releasing it cancels nothing. Reads
/// of ``currentOutcome`` are tracked.
@MainActor
public final class Call<Value: Sendable>: AnyCall {
  /// How the call ended, or nil while it has not.
  public var currentOutcome: Outcome<Value>? { trackedOutcome?.typed() }

  /// How the call ended, once it has; waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<Value> {
    get async { await anyOutcome.typed() }
  }

  /// The value, once it is there.
  ///
  /// - Throws: the error of a failure; ``/FieldstoneCore/CallCancelled`` when the call was
  ///   cancelled; `CancellationError` at once when the task that waits is cancelled, while the call
  ///   goes on.
  public var value: Value {
    get async throws { try await anyValue.value(as: Value.self) }
  }
}

/// A started call with a value of any type: something to cancel.
@MainActor
public class AnyCall: Observable {
  private var handle = CallHandle<any LoadedValue>()

  private(set) final var handlers: [CallHandler]
  private(set) final var options: CallOptions?
  /// The number of the load that it waits for; nil before the start and after the end.
  private(set) final var load: Int?
  private final var cancelCall: (@MainActor (AnyCall) -> Void)?

  /// Its own work, where it shares the load with others and does not end with it.
  private(set) final var ownWork: CallWork?

  init(handlers: [CallHandler], options: CallOptions?) {
    self.handlers = handlers
    self.options = options
  }

  /// Cancels the call; a no-op when it has ended.
  ///
  /// The outcome is there when this returns; handlers are called afterwards.
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

  /// Keeps the work that follows a shared load which fails.
  final func keep(_ work: CallWork) {
    if work.canGoOnAlone { ownWork = work }
  }

  /// Goes on by itself after a shared load; the call stays under way.
  final func move(to load: Int) {
    self.load = load
    ownWork = nil
  }

  /// Goes on to run.
  ///
  /// - Returns: whether the call was waiting.
  final func proceed() -> Bool {
    handle.proceed()
  }

  /// Ends the call with what its work came to, or without it.
  ///
  /// - Returns: whether this is what ended it.
  final func end(with outcome: Outcome<any LoadedValue>) -> Bool {
    guard handle.end(with: outcome) else { return false }
    load = nil
    cancelCall = nil
    ownWork = nil
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

/// A value that a call has given, of a type that only the two ends of the call know.
///
/// Everything between them is free of type parameters: looking up generic types at run time took a
/// third of the time of a call.
protocol LoadedValue: AnyObject, Sendable {}

/// The box of a value.
final class Loaded<Value: Sendable>: LoadedValue {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension LoadedValue {
  /// The value; its type must be that of the integrator that it belongs to.
  func value<Value: Sendable>(as type: Value.Type) -> Value {
    // Checked in debug builds.
    unsafeDowncast(self, to: Loaded<Value>.self).value
  }
}

extension Outcome where Success == any LoadedValue {
  /// The same outcome with the value itself.
  func typed<Value: Sendable>(as type: Value.Type = Value.self) -> Outcome<Value> {
    switch self {
    case .success(let loaded): .success(loaded.value(as: type))
    case .failure(let error): .failure(error)
    case .cancelled(let reason): .cancelled(reason)
    }
  }
}
