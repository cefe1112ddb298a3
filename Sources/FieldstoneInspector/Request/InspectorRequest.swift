#if Inspector
  /// A request to the inspector, as any server hands it on.
  public struct InspectorRequest: Sendable, Hashable {
    /// The method, in capital letters.
    public var method: String
    /// The path and the query, percent-encoded as they were sent.
    public var target: String
    /// The headers by name; ``Inspector/response(to:)`` reads the names without regard to case.
    public var headers: [String: String]
    /// The body.
    public var body: [UInt8]

    /// Makes a request.
    public init(
      method: String = "GET", target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) {
      self.method = method
      self.target = target
      self.headers = headers
      self.body = body
    }
  }

  /// The answer of the inspector; the server adds the length and the headers of its connection.
  public struct InspectorResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var status: Int
    /// The headers by name, each on one line.
    public var headers: [String: String]
    /// The body; empty in the answer to `HEAD`.
    public var body: [UInt8]
  }
#endif
