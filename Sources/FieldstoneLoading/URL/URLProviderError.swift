public import FieldstoneCore
public import Foundation

/// The failure of a load from a server.
public enum URLProviderError: DescribedError, RetryAdvisingError {
  /// The status is outside 200 to 299.
  ///
  /// The response has the status, the headers and the body, of which no more was read than the body
  /// limit; `retryAfter` is the delay of its header `Retry-After`.
  case status(ServerResponse, retryAfter: Duration?)

  /// The body is larger than the limit; the rest of it was not read.
  case bodyTooLarge(limit: Int, url: URL?)

  /// The transfer failed: there was no connection, it was lost, or the time limit passed.
  case transfer(URLError, url: URL?)

  /// The address is not an HTTP address, for example that of a file.
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
      "The transfer from \(Self.name(url)) failed (\(Self.reason(error))); check the address and the "
        + "connection, and try again."
    case .notHTTP(let url):
      "\(Self.name(url)) gave no HTTP response; use an address that begins with http or https. "
        + "If it does, the server is at fault."
    }
  }

  /// The error of a failed transfer.
  public var underlyingErrors: [any Error] {
    if case .transfer(let error, _) = self { [error] } else { [] }
  }

  /// Whether the same request may succeed later.
  ///
  /// True for the statuses 408, 425 and 429, for those from 500 on except 501 and 505, and for most
  /// failed transfers. False for other statuses, for too large a body, and for an unusable address.
  public var isWorthRetrying: Bool {
    switch self {
    case .status(let response, _):
      [408, 425, 429].contains(response.status)
        || response.status >= 500 && ![501, 505].contains(response.status)
    case .transfer(let error, _): RetryPolicy.isWorthRetrying(error)
    case .bodyTooLarge, .notHTTP: false
    }
  }

  /// The delay of `Retry-After`, counted from the response.
  public var retryAfter: Duration? {
    if case .status(_, let retryAfter) = self { retryAfter } else { nil }
  }

  private static func name(_ url: URL?) -> String {
    guard let url else { return "The server" }
    // The query is left out because it may hold private data.
    return (url.host() ?? "") + url.path()
  }

  /// The reason in words; on Linux the error itself has only a number for these.
  private static func reason(_ error: URLError) -> String {
    switch error.code {
    case .timedOut: "the time limit passed"
    case .networkConnectionLost: "the connection was lost"
    case .cannotConnectToHost: "the host accepts no connection"
    case .cannotFindHost: "the host is not known"
    case .httpTooManyRedirects: "there were too many redirects"
    default: error.localizedDescription
    }
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
