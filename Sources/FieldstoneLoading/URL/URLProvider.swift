public import FieldstoneCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A provider that loads from a server, through a `URLSession`.
///
/// ```swift
/// struct User: DataModel, Decodable { var login: String }
///
/// let users = URLProvider { (name: String) in
///   URLRequest(url: address.appending(queryItems: [URLQueryItem(name: "q", value: name)]))
/// }
/// let integrator = Integrator(provider: users.map { $0.body }, model: [User].self)
/// ```
///
/// - A status outside 200 to 299 fails with ``URLProviderError/status(_:retryAfter:)``, which has
///   the status, headers and body. A ``RetryPolicy`` honours its `Retry-After`, in seconds or as a
///   date.
/// - Cancelling the load cancels the transfer.
/// - Redirects are followed, as `URLSession` does.
/// - The body is limited by the received bytes, not by the announced length.
/// - Progress is the received fraction of the announced length, or indeterminate without one. While
///   a closure takes its time, only its own load waits; the closure then receives the latest.
public struct URLProvider<Parameters: Sendable>: DataProvider {
  private let transport: URLTransport
  private let bodyLimit: Int
  private let time: TimeSource
  private let request: @Sendable (Parameters) async throws -> URLRequest

  /// Makes a provider from a closure that makes its requests.
  ///
  /// - Parameters:
  ///   - bodyLimit: the maximum size of a body in bytes; 16 MB (16,777,216) unless given. Less than
  ///     zero counts as zero.
  ///   - transport: the session to use.
  ///   - time: the clock that a date in `Retry-After` is compared with.
  ///   - request: makes a request from parameters; an error that it throws fails the load.
  public init(
    bodyLimit: Int = 16 * 1_048_576, transport: URLTransport = .shared,
    time: TimeSource = .system,
    request: @escaping @Sendable (Parameters) async throws -> URLRequest
  ) {
    self.bodyLimit = max(0, bodyLimit)
    self.transport = transport
    self.time = time
    self.request = request
  }

  /// Sends a request and waits for the whole response.
  ///
  /// - Throws: ``URLProviderError``, the errors of the closure that makes the request, and
  ///   `CancellationError` if the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Parameters, reporting events: LoadEvents<ServerResponse>
  ) async throws -> ServerResponse {
    try Task.checkCancellation()
    let request = try await request(parameters)
    try Task.checkCancellation()
    let channel = LoadChannel(events)
    let transfer = URLTransfer(request, bodyLimit: bodyLimit, time: time, channel: channel)
    return try await withTaskCancellationHandler {
      transport.start(request, transfer)
      return try await channel.value
    } onCancel: {
      transfer.cancel()
    }
  }
}
