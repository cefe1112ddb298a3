import FieldstoneCore

/// What was asked of a call beside its handlers; most calls have none.
final class CallOptions: Sendable {
  struct Values: Sendable {
    var delay = Duration.zero
    var retry: RetryPolicy?
    var recovery: Recovery?
    var ignored: [@Sendable (any Error) -> Bool] = []
    var nexts: [@MainActor (Outcome<any LoadedValue>) -> Void] = []
    var sharesErrors = true
  }

  struct Recovery: Sendable {
    let limit: Int
    /// Gives a value, or nil when the load shall be made again; throws when the failure stands.
    let body: @Sendable (any Error) async throws -> (any LoadedValue)?
  }

  let values: Values

  init(_ values: Values) {
    self.values = values
  }

  func ignores(_ error: any Error) -> Bool {
    values.ignored.contains { $0(error) }
  }
}
