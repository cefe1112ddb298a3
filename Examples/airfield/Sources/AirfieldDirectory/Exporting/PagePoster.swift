package import Fieldstone
import Foundation

/// Posts the pages of an export, again where another attempt may help.
package struct PagePoster: Sendable {
  private let provider: AnyProvider<ExportPost, ServerResponse>

  /// Makes a poster.
  ///
  /// - Parameters:
  ///   - policy: how often, when and after which errors it tries again; some minutes unless given.
  ///   - time: what the waits go by.
  ///   - onPause: told before it waits.
  package init(
    policy: RetryPolicy = RetryPolicy(maximumAttempts: 8, baseDelay: .seconds(1)),
    time: TimeSource = .system, onPause: @escaping @Sendable (ExportPause) -> Void = { _ in }
  ) {
    let server = URLProvider<ExportPost>(time: time) { $0.request }
    provider = server.retrying(policy, time: time) { retry in
      onPause(ExportPause(reason: PostError.reason(retry.error), delay: retry.delay))
    }.erased()
  }

  /// Posts a page, and returns once it is accepted.
  ///
  /// - Throws: ``PostError``; `CancellationError` when the task is cancelled.
  func post(_ post: ExportPost) async throws {
    do {
      let answer = try await provider.load(post, reporting: LoadEvents())
      // Sent on it may have become a GET, which any server likes.
      if let url = answer.url, url != post.address {
        throw PostError.sentOn(post.name, to: ExportTarget.name(of: url))
      }
    } catch let error as URLProviderError {
      switch error {
      case .status(let response, _): throw PostError.status(post.name, response.status)
      default: throw PostError.failed(post.name, reason: PostError.reason(error))
      }
    }
  }
}
