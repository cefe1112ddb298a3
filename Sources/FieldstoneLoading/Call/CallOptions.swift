import FieldstoneCore

/// What was asked of a call beside its handlers; most calls have none.
final class CallOptions<Value: Sendable>: Sendable {
  struct Values: Sendable {
    var delay = Duration.zero
    var retry: RetryPolicy?
    var recovery: Recovery?
    var ignored: [@Sendable (any Error) -> Bool] = []
    var nexts: [@MainActor (Outcome<Value>) -> Void] = []
    var sharesErrors = true
  }

  struct Recovery: Sendable {
    let limit: Int
    let body: @Sendable (any Error) async throws -> CallRecovery<Value>
  }

  let values: Values

  init(_ values: Values) {
    self.values = values
  }
}
