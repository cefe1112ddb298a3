/// A request as it was sent: path and query are still percent-encoded.
public struct SiteRequest: Sendable, Equatable {
  /// The method, as it was spelled.
  public var method: String

  /// The path.
  public var path: String

  /// What stands behind the question mark.
  public var query: String

  /// The headers, by their names in small letters.
  public var headers: [String: String]

  /// The body.
  public var body: [UInt8]

  /// Whether it is one of HTTP/1.0, whose answers have no chunks.
  public var isOld = false

  /// Makes a request.
  public init(
    method: String = "GET", path: String, query: String = "", headers: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }
}

extension SiteRequest {
  /// Whether its body has to be unpacked before it can be read.
  var isEncoded: Bool {
    guard let encoding = headers["content-encoding"] else { return false }
    return encoding.lowercased() != "identity"
  }
}
