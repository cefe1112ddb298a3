public import FieldstoneCore

/// A call that was started: something to cancel and to await.
///
/// It ends exactly once. When it is cancelled it ends at once, also when the provider does not
/// heed the cancellation; what comes late is dropped. It need not be kept: releasing it cancels
/// nothing. Reads of ``currentOutcome`` are tracked.
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
