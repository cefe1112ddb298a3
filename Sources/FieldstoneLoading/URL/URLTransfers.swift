import FieldstoneCore
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
