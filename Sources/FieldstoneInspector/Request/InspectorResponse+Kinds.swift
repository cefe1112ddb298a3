#if Inspector
  import FieldstoneHTML

  extension InspectorResponse {
    init(status: Int = 200, type: String, body: some Sequence<UInt8>) {
      self.init(
        status: status,
        headers: Self.common.merging(["Content-Type": type]) { $1 }, body: Array(body))
    }

    init(status: Int, text: String) {
      self.init(status: status, type: "text/plain; charset=utf-8", body: (text + "\n").utf8)
    }

    init(status: Int = 200, page: HTML) {
      self.init(status: status, type: "text/html; charset=utf-8", body: page.markup.utf8)
    }

    /// Sends the browser to another page, with GET.
    static func redirect(to address: String) -> Self {
      var response = Self(status: 303, text: "")
      response.headers["Location"] = address
      return response
    }

    /// Pages load only our own style sheet, script and pictures, and stand in no frame.
    private static let common = [
      "Cache-Control": "no-store",
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
  }
#endif
