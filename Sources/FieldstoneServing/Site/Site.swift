/// Pages that a ``SiteServer`` serves.
public protocol Site: Sendable {
  /// Answers a request; its body is in ``SiteRequest/body``, and its access was checked.
  func answer(_ request: SiteRequest) async -> SiteAnswer

  /// Answers a form with files, whose body is read while it arrives.
  ///
  /// A site that returns before the end of the body refuses it: the server reads and drops at most
  /// ``SiteLimits/refusedBody`` of the rest, within ``SiteLimits/reading`` if the site has
  /// read nothing. The default implementation refuses with status 415. A site that wraps another one
  /// must forward both kinds of requests.
  func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse
}

extension Site {
  /// Refuses a form with files.
  public func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse {
    SiteResponse(status: 415, text: "Post a form without files.\n")
  }
}

/// The answer of a site, whole or in pieces.
public enum SiteAnswer: Sendable {
  /// A whole response.
  case response(SiteResponse)
  /// A file that is made while it is sent.
  case download(SiteDownload)
  /// Events until the client disconnects.
  case events(EventStream)
}
