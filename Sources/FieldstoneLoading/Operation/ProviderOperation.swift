/// A stateful operation that loads from a provider.
///
/// ```swift
/// let load = ProviderOperation(users.retrying(), "apple").onSuccess { table.show($0) }
/// load.addDependency(login)
/// queue.addOperation(load)
/// ```
public final class ProviderOperation<Provider: DataProvider>: StatefulOperation<Provider.Output>,
  @unchecked Sendable
{
  private let provider: Provider
  private let parameters: Provider.Parameters
  private let events: LoadEvents<Provider.Output>

  /// Makes an operation that loads from a provider.
  ///
  /// - Parameters:
  ///   - provider: the provider.
  ///   - parameters: the parameters of the load.
  ///   - events: receives progress and early values, which are dropped by default.
  public init(
    _ provider: Provider, _ parameters: Provider.Parameters,
    reporting events: LoadEvents<Provider.Output> = LoadEvents()
  ) {
    self.provider = provider
    self.parameters = parameters
    self.events = events
    super.init()
  }

  /// Loads from the provider.
  @concurrent
  public override func run() async throws -> Provider.Output {
    try await provider.loadOnce(parameters, reporting: events)
  }
}

/// A stateful operation that loads from a server.
///
/// ```swift
/// queue.addOperation(
///   URLOperation(URLProvider { (name: String) in URLRequest(url: address.appending(path: name)) },
///     "users").onSuccess { show($0.body) })
/// ```
public typealias URLOperation<Parameters: Sendable> = ProviderOperation<URLProvider<Parameters>>
