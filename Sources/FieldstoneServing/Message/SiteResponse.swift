/// A response of a site; the server adds the length and the headers of the connection.
public struct SiteResponse: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The headers by name, each on one line.
  ///
  /// A name replaces the same name in another case. The server drops `Connection`, `Content-Length`
  /// and `Transfer-Encoding`, as it writes its own.
  public var headers: [String: String] {
    didSet {
      let added = headers.filter { oldValue[$0.key] == nil }
      if !added.isEmpty { headers = Self.headers(headers, replacedBy: added) }
    }
  }
  /// The body; the server omits it in the response to `HEAD`.
  public var body: [UInt8]

  /// Makes a response with the headers of every page, its content type, and headers that override
  /// these, whatever the case of their names.
  public init(
    status: Int = 200, type: String, body: some Sequence<UInt8>, headers: [String: String] = [:]
  ) {
    self.status = status
    self.headers = Self.headers(
      Self.pageHeaders.merging(["Content-Type": type]) { $1 }, replacedBy: headers)
    self.body = Array(body)
  }

  /// Headers with others in place of those of the same name in any case.
  static func headers(
    _ headers: [String: String], replacedBy others: [String: String]
  ) -> [String: String] {
    let names = Set(others.keys.map { $0.lowercased() })
    return headers.filter { !names.contains($0.key.lowercased()) }.merging(others) { $1 }
  }

  /// Makes a plain-text response.
  public init(status: Int, text: String, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/plain; charset=utf-8", body: text.utf8, headers: headers)
  }

  /// Makes an HTML response.
  public init(status: Int = 200, html: String, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/html; charset=utf-8", body: html.utf8, headers: headers)
  }

  /// Makes a redirect to another page, which the browser requests with `GET`.
  public static func redirect(to address: String) -> SiteResponse {
    SiteResponse(status: 303, text: "", headers: ["Location": address])
  }

  /// The headers of every response: a page loads only its own site's files, and can't be framed.
  package static let pageHeaders = [
    "Cache-Control": "no-cache",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
      + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    // A browser sends the origin of a posted form only if it may send a referrer.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]

  /// The response while the server is full.
  static let busy = SiteResponse(
    status: 503, text: "The server has no place at the moment; try again in a few seconds.\n",
    headers: ["Retry-After": "5", "Cache-Control": "no-store"])
}
