public import FieldstoneCore
public import Foundation

/// Why a server's answer is no output.
public enum URLProviderError: DescribedError, RetryAdvisingError {
  /// The status is outside 200 to 299. The answer has the status, the headers and the body; how
  /// long to wait before the next attempt is what its `Retry-After` says.
  case status(ServerResponse, retryAfter: Duration?)

  /// The body has more bytes than the limit; it was not read to its end.
  case bodyTooLarge(limit: Int, url: URL?)

  /// The transfer broke off, or did not begin: no connection, a lost one, a time limit.
  case transfer(URLError, url: URL?)

  /// The address does not speak HTTP, such as that of a file.
  case notHTTP(url: URL?)

  /// The failure, then the remedy.
  public var message: String {
    switch self {
    case .status(let response, _):
      "\(Self.name(response.url)) answered with status \(response.status); "
        + Self.remedy(for: response.status)
    case .bodyTooLarge(let limit, let url):
      "\(Self.name(url)) sent more than \(limit) bytes; ask for less, or raise the body limit of "
        + "the provider."
    case .transfer(let error, let url):
      "The transfer from \(Self.name(url)) failed (\(error.localizedDescription)); check the "
        + "address and the connection, and try again."
    case .notHTTP(let url):
      "\(Self.name(url)) gave no HTTP response; use an address that begins with http or https."
    }
  }

  /// The error of the transfer, where it was that.
  public var underlyingErrors: [any Error] {
    if case .transfer(let error, _) = self { [error] } else { [] }
  }

  /// Whether the same request may succeed later.
  ///
  /// True for the statuses 408, 425, 429 and from 500 on but 501 and 505, and for a broken
  /// transfer. False for other statuses, too large a body, and an unusable address.
  public var isWorthRetrying: Bool {
    switch self {
    case .status(let response, _):
      [408, 425, 429].contains(response.status)
        || response.status >= 500 && ![501, 505].contains(response.status)
    case .transfer(let error, _): RetryPolicy.isWorthRetrying(error)
    case .bodyTooLarge, .notHTTP: false
    }
  }

  /// The wait of `Retry-After`, counted from the answer.
  public var retryAfter: Duration? {
    if case .status(_, let retryAfter) = self { retryAfter } else { nil }
  }

  private static func name(_ url: URL?) -> String {
    guard let url else { return "The server" }
    // A query may hold private data.
    return (url.host() ?? "") + url.path()
  }

  private static func remedy(for status: Int) -> String {
    switch status {
    case 401, 403: "sign in with an account that may see it."
    case 404, 410: "check the address."
    case 408, 425, 429, 500...: "try again later."
    default: "its body may say why."
    }
  }
}
