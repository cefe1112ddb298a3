public import FieldstoneCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A provider that asks a server, through a `URLSession`.
///
/// ```swift
/// let users = URLProvider { (name: String) in
///   URLRequest(url: address.appending(queryItems: [URLQueryItem(name: "q", value: name)]))
/// }
/// let integrator = Integrator(provider: users.map { $0.body }, model: [User].self)
/// ```
///
/// - An answer outside 200 to 299 is ``URLProviderError/status(_:retryAfter:)``, with status,
///   headers and body. A ``RetryPolicy`` honours its `Retry-After`, in seconds or as a date.
/// - Cancelling the load cancels the transfer.
/// - Redirects are followed, as `URLSession` does.
/// - The body is limited: the bytes are counted as they come, and not as the server announces them.
/// - Progress is the part of the announced length that has come, indeterminate where none was.
public struct URLProvider<Parameters: Sendable>: DataProvider {
  private let transport: URLTransport
  private let bodyLimit: Int
  private let time: TimeSource
  private let request: @Sendable (Parameters) async throws -> URLRequest

  /// Makes a provider from what makes its requests.
  ///
  /// - Parameters:
  ///   - bodyLimit: how many bytes a body may have; 16 MB (16,777,216) unless given. Less than zero
  ///     counts as zero.
  ///   - transport: the session to use.
  ///   - time: what a date in `Retry-After` is compared with.
  ///   - request: makes a request from parameters; what it throws is the load's error.
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

  /// Sends a request and waits for the whole answer.
  ///
  /// - Throws: ``URLProviderError``, what makes the request throws, and `CancellationError` when the
  ///   task is cancelled.
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
