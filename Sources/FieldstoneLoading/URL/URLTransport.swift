import FieldstoneCore

#if canImport(FoundationNetworking)
  import Foundation
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

/// Tells each transfer of a session what happens to it.
///
/// The session calls one delegate method after the other, on a queue of its own.
final class URLTransfers: NSObject, URLSessionDataDelegate {
  private let transfers = Locked<[Int: URLTransfer]>([:])

  func add(_ transfer: URLTransfer, for task: URLSessionTask) {
    transfers.withLock { $0[task.taskIdentifier] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> URLTransfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.receive(response)
    // A transfer that is of no use cancels itself: Linux does not heed another disposition.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.complete(error)
  }
}
