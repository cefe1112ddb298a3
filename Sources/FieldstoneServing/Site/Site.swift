/// Pages that a ``SiteServer`` serves.
public protocol Site: Sendable {
  /// Answers a request whose body is in ``SiteRequest/body``, and whose access was checked.
  func answer(_ request: SiteRequest) async -> SiteAnswer

  /// Answers a form with files, whose body is read while it arrives.
  ///
  /// A site that returns before the end of the body refuses it: as much as
  /// ``SiteLimits/refusedBody`` of the rest is read and dropped. A site without forms with files
  /// needs no such method, and refuses with status 415. One that stands before another site has to
  /// hand both kinds of request on to it.
  func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse
}

extension Site {
  /// Refuses a form with files.
  public func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse {
    SiteResponse(status: 415, text: "Post a form without files.\n")
  }
}

/// An answer of a site: at once, or bit by bit.
public enum SiteAnswer: Sendable {
  /// A whole response.
  case response(SiteResponse)
  /// A file that is made while it is sent.
  case download(SiteDownload)
  /// Events until the client goes away.
  case events(EventStream)
}
