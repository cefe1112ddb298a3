/// The head of an answer as bytes.
enum ResponseHead {
  static func bytes(
    status: Int, headers: [String: String], length: Int?, keepsAlive: Bool
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    // A line break within a value would begin another header.
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      text += "\(name): \(value.filter { !$0.isNewline })\r\n"
    }
    if let length { text += "Content-Length: \(length)\r\n" }
    text += "Connection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
    return Array(text.utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 303: "See Other"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 422: "Unprocessable Content"
    case 431: "Request Header Fields Too Large"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Internal Server Error"
    }
  }
}
