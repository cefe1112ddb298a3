/// An integrator as the provider of another one.
///
/// Progress and early values flow through, and a cancelled load cancels the call. A call that ends
/// as superseded, busy or released is a cancellation for the outer one, too.
public struct IntegratorProvider<Parameters: Sendable, Value: Sendable>: DataProvider {
  private let integrator: Integrator<Parameters, Value>

  init(_ integrator: Integrator<Parameters, Value>) {
    self.integrator = integrator
  }

  /// Makes a call and waits for its value.
  ///
  /// - Throws: what ``Integrator/callAsFunction(_:)`` throws.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Value>
  ) async throws -> Value {
    try await integrator.call(parameters)
      .onProgress { events.progress($0) }
      .onEarlyValue { events.early($0) }
      .run()
  }
}

extension Integrator {
  /// This integrator as a provider, which keeps it.
  public func asProvider() -> IntegratorProvider<Parameters, Value> {
    IntegratorProvider(self)
  }
}
