/// A response of a site; the server adds the length and the headers of the connection.
public struct SiteResponse: Sendable, Hashable {
  /// The status of HTTP.
  public var status: Int
  /// The headers by name, each on one line.
  public var headers: [String: String]
  /// The body; the server leaves it out of the answer to `HEAD`.
  public var body: [UInt8]

  /// Makes a response with ``pageHeaders``, the type of its body, and headers that replace these.
  public init(
    status: Int = 200, type: String, body: some Sequence<UInt8>, headers: [String: String] = [:]
  ) {
    self.status = status
    self.headers = Self.pageHeaders.merging(["Content-Type": type]) { $1 }.merging(headers) { $1 }
    self.body = Array(body)
  }

  /// Makes a response of plain text.
  public init(status: Int, text: String, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/plain; charset=utf-8", body: text.utf8, headers: headers)
  }

  /// Makes a response of a page.
  public init(status: Int = 200, html: String, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/html; charset=utf-8", body: html.utf8, headers: headers)
  }

  /// Sends the browser to another page, with `GET`.
  public static func redirect(to address: String) -> SiteResponse {
    SiteResponse(status: 303, text: "", headers: ["Location": address])
  }

  /// The headers of every response: a page loads only its own site's files and stands in no frame.
  public static let pageHeaders = [
    "Cache-Control": "no-cache",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
      + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    // A browser sends the origin of a posted form only where it may send a referrer.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
  ]

  /// The answer while the server has no place.
  static let busy = SiteResponse(
    status: 503, text: "The server has no place at the moment; try again in a few seconds.\n",
    headers: ["Retry-After": "5", "Cache-Control": "no-store"])
}
