import Dispatch
import FieldstoneCore

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A URL session that URL providers share, with its connections.
///
/// Transfers under way continue after it is deallocated.
public final class URLTransport: Sendable {
  private let session: URLSession
  private let transfers = URLTransfers()
  /// Calls the session: on Linux a call waits while the session reads from other connections.
  private let queue = DispatchQueue(label: "fieldstone.loading.transport")

  /// Makes a transport.
  ///
  /// - Parameter configuration: the time limits, cookies, caches and headers of every request. On
  ///   Linux its `urlCache` is not used, and the time limit of a request includes its wait for one of
  ///   the `httpMaximumConnectionsPerHost` connections to its host.
  public init(configuration: URLSessionConfiguration = .default) {
    #if canImport(FoundationNetworking)
      // A request is cancelled at any time. While Foundation looks for it in a cache, that ends the
      // process ("Trying to access a behaviour for a task that in not in the registry").
      let configuration = configuration.uncached
    #endif
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  deinit {
    // A session retains its delegate until it is invalidated.
    session.finishTasksAndInvalidate()
  }

  /// The transport of providers without one of their own, with the default configuration.
  public static let shared = URLTransport()

  /// Begins a transfer, without waiting for the session.
  func start(_ request: URLRequest, _ transfer: URLTransfer) {
    queue.async { [self] in
      guard !transfer.isOver else { return }
      let task = session.dataTask(with: request)
      transfers.add(transfer, for: task)
      transfer.started { [queue] in queue.async { task.cancel() } }
      task.resume()
    }
  }
}

/// Passes the events of a session to its transfers.
///
/// The session calls the delegate methods one at a time, on a queue of its own.
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
    // A transfer that is not needed cancels itself, because Linux ignores other dispositions.
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    transfer?.complete(error, response: task.response)
  }

  #if canImport(FoundationNetworking)
    // By default, Foundation on Linux never completes a request that is refused for want of a
    // password, and its storage of passwords finds none. Here the refusal is the response, as it is
    // on Apple's systems without a password.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler:
        @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      transfer(of: task)?.complete(nil, response: task.response)
      completionHandler(.cancelAuthenticationChallenge, nil)
    }
  #endif
}

#if canImport(FoundationNetworking)
  extension URLSessionConfiguration {
    /// A copy without a cache.
    fileprivate var uncached: URLSessionConfiguration {
      guard let copy = copy() as? URLSessionConfiguration else { return self }
      copy.urlCache = nil
      return copy
    }
  }
#endif
