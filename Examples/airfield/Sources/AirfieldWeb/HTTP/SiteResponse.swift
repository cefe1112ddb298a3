import FieldstoneHTML

/// What the site answers: a status, headers and a body.
public struct SiteResponse: Sendable, Equatable {
  /// The status.
  public let status: Int

  /// The headers, by their names; the length of the body is not among them.
  public let headers: [String: String]

  /// The body, also where the method was HEAD.
  public let body: [UInt8]

  init(status: Int, type: String, body: [UInt8], headers: [String: String] = [:]) {
    self.status = status
    self.body = body
    self.headers = Self.common.merging(headers) { $1 }.merging(["Content-Type": type]) { $1 }
  }

  init(status: Int = 200, page: HTML, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/html; charset=utf-8", body: Array(page.markup.utf8),
      headers: headers)
  }

  init(status: Int, text: String, headers: [String: String] = [:]) {
    self.init(
      status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8), headers: headers)
  }

  /// Sends the browser on to a page, with GET.
  static func see(_ address: PageAddress) -> SiteResponse {
    SiteResponse(status: 303, text: "", headers: ["Location": address.text])
  }

  /// That there is nothing more to say.
  static let done = SiteResponse(status: 204, text: "")

  /// Pages load our own style sheet, script and icon, ask only us, and stand in nobody else's frame.
  static let common = [
    "Cache-Control": "no-cache",
    "Content-Security-Policy":
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
      + "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    // Browsers tell a posted form's origin only to those to whom they may tell where it was.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
  ]
}
