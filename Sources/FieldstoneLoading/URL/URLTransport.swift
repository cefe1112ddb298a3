#if canImport(FoundationNetworking)
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A URL session for the transfers of URL providers, which share its connections.
///
/// After it is released, the transfers that are under way still run to their end.
public final class URLTransport: Sendable {
  private let session: URLSession
  private let transfers = URLTransfers()

  /// Makes a transport.
  ///
  /// - Parameter configuration: time limits, cookies, caches and headers of every request.
  public init(configuration: URLSessionConfiguration = .default) {
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit {
    // A session keeps its delegate until it is invalidated.
    session.finishTasksAndInvalidate()
  }

  /// The transport of providers that have none of their own; its configuration is the default one.
  public static let shared = URLTransport()

  /// Begins a transfer.
  func start(_ request: URLRequest, _ transfer: URLTransfer) {
    let task = session.dataTask(with: request)
    transfers.add(transfer, for: task)
    transfer.started(task)
    task.resume()
  }
}
