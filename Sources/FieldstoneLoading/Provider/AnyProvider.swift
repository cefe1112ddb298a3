/// A provider whose type is not told: only what it is asked and what it gives.
///
/// It costs one existential call a load; a generic parameter or `some DataProvider<P, O>` costs
/// none.
public struct AnyProvider<Parameters: Sendable, Output: Sendable>: DataProvider {
  private let base: any DataProvider<Parameters, Output>

  /// Hides the type of a provider; hiding twice is hiding once.
  public init(_ provider: some DataProvider<Parameters, Output>) {
    base = (provider as? Self)?.base ?? provider
  }

  /// Loads with the provider that is hidden.
  ///
  /// - Throws: what the provider throws.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<Output>
  ) async throws -> Output {
    try await base.load(parameters, reporting: events)
  }
}

extension DataProvider {
  /// The same provider with its type hidden.
  public func erased() -> AnyProvider<Parameters, Output> {
    AnyProvider(self)
  }
}
