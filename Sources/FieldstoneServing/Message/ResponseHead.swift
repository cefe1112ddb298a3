/// The head of a response as bytes.
enum ResponseHead {
  /// Makes the head; the length and the chunks of the body are the server's, not the site's.
  static func bytes(
    status: Int, headers: [String: String], length: Int?, isChunked: Bool = false, keepsAlive: Bool
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key })
    where !framing.contains(name.lowercased()) {
      // A line break within a value would start another header.
      text += "\(name): \(value.filter { !$0.isNewline })\r\n"
    }
    // A response without content has no length (RFC 9110, 8.6).
    if let length, hasContent(status) { text += "Content-Length: \(length)\r\n" }
    if isChunked { text += "Transfer-Encoding: chunked\r\n" }
    text += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
    return Array(text.utf8)
  }

  /// Whether a status announces that the response is still to come.
  static func isInterim(_ status: Int) -> Bool { status < 200 }

  /// Whether a response with a status has a body, except one to `HEAD`.
  static func hasContent(_ status: Int) -> Bool {
    !isInterim(status) && status != 204 && status != 304
  }

  /// The headers that decide where a response ends, in lower case.
  private static let framing: Set<String> = ["connection", "content-length", "transfer-encoding"]

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    // A client treats an unknown status by its class; the reason may be empty.
    default: ""
    }
  }
}
