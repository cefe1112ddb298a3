/// A request to a site, independent of the server.
public struct SiteRequest: Sendable, Hashable {
  /// The method, as it was sent.
  public var method: String
  /// The path and the query, percent-encoded as they were sent.
  public var target: String
  /// The headers by name; a ``SiteServer`` spells the names in lower case.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]
  /// Whether the client uses HTTP/1.0, which has no chunked encoding.
  package var isHTTP10 = false

  /// Makes a request.
  public init(
    method: String = "GET", target: String, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The path, percent-encoded.
  public var path: String { String(target[..<endOfPath]) }

  /// The text after the first question mark, percent-encoded; empty if there is none.
  public var query: String { String(Substring(target.utf8[endOfPath...].dropFirst())) }

  /// The position of the first question mark, by bytes: a combining mark after it is one character
  /// with it.
  private var endOfPath: String.Index {
    target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
  }

  /// The names and values of a posted form; nil for a body of another type or with an encoding.
  public var form: FormValues? {
    let type = header("content-type")?.lowercased().prefix { $0 != ";" && $0 != " " }
    guard type == "application/x-www-form-urlencoded", !isEncoded else { return nil }
    return FormValues(String(decoding: body, as: UTF8.self))
  }

  /// Whether the body is compressed or otherwise encoded.
  public var isEncoded: Bool {
    guard let encoding = header("content-encoding") else { return false }
    return encoding.lowercased() != "identity"
  }

  /// The value of a header, given its name in lower case.
  package func header(_ name: String) -> String? {
    headers[name] ?? headers.first { $0.key.lowercased() == name }?.value
  }

  /// Whether the request only reads.
  package var isRead: Bool { method == "GET" || method == "HEAD" }
}
