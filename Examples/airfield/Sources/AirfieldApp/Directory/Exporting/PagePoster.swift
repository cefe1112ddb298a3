import Fieldstone
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Posts the pages of an export, again where another attempt may help.
struct PagePoster: Sendable {
  private let provider: AnyProvider<ExportPost, ServerResponse>

  /// Makes a poster that tries again for some minutes, unless it is given another policy.
  init(
    policy: RetryPolicy = RetryPolicy(maximumAttempts: 8, baseDelay: .seconds(1)),
    time: TimeSource = .system, onPause: @escaping @Sendable (ExportPause) -> Void = { _ in }
  ) {
    let server = URLProvider<ExportPost>(time: time) { $0.request }
    provider = server.retrying(policy, time: time) { retry in
      onPause(ExportPause(reason: Self.reason(retry.error), delay: retry.delay))
    }.erased()
  }

  /// Posts a page, and returns once it is accepted.
  ///
  /// - Throws: `MessageError`; `CancellationError` when the task is cancelled.
  func post(_ post: ExportPost) async throws {
    let (name, page) = (ExportTarget.name(of: post.address), "page \(post.page)")
    do {
      let answer = try await provider.load(post, reporting: LoadEvents())
      // Sent on it may have become a GET, which any server likes.
      guard let url = answer.url, url != post.address else { return }
      throw MessageError(
        "\(name) sends \(page) on to \(ExportTarget.name(of: url)); give that address, if it is right"
      )
    } catch URLProviderError.status(let response, _) {
      throw MessageError(
        "\(name) answered \(page) with status \(response.status); \(Self.remedy(response.status))")
    } catch let error as URLProviderError {
      throw MessageError(
        "cannot post \(page) to \(name): \(Self.reason(error)); check the address and the connection"
      )
    }
  }

  /// What kept a page from being accepted, as a phrase.
  private static func reason(_ error: any Error) -> String {
    switch error as? URLProviderError {
    case .status(let response, _): "status \(response.status)"
    case .transfer(let cause, _): cause.localizedDescription
    case .bodyTooLarge(let limit, _): "an answer of over \(limit) bytes"
    case .notHTTP: "an answer that is not HTTP"
    case nil: "\(error)"
    }
  }

  private static func remedy(_ status: Int) -> String {
    switch status {
    case 401, 403, 407: "give an address that may be written to"
    case 404, 405, 410, 501: "check that the address is one to post to"
    case 413: "give a smaller --page-size"
    case 415: "check that it takes this form, or give a name that ends in .csv or .jsonl"
    case 408, 425, 429, 500...: "try again later"
    default: "ask whoever runs it what it wants"
    }
  }
}

struct ExportPost: Sendable {
  let address: URL
  let body: [UInt8]
  let contentType: String

  /// The same whenever this page is posted, and for no other page.
  let key: String
  let page: Int
  let isLast: Bool

  var request: URLRequest {
    var request = URLRequest(url: address)
    request.httpMethod = "POST"
    request.httpBody = Data(body)
    request.setValue(contentType, forHTTPHeaderField: "Content-Type")
    request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
    request.setValue("\(page)", forHTTPHeaderField: "Airfield-Page")
    request.setValue(isLast ? "yes" : "no", forHTTPHeaderField: "Airfield-Last-Page")
    return request
  }
}
