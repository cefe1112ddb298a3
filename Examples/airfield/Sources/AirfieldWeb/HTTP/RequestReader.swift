/// Makes requests of the bytes of a connection, however they are cut; a pure state machine.
public struct RequestReader: Sendable {
  /// What the bytes so far have come to.
  public enum Step: Sendable, Equatable {
    /// More have to come.
    case more
    /// A request; whether another may follow on the same connection.
    case request(SiteRequest, keepsAlive: Bool)
    /// A request with a form that has files: its body of so many bytes is not gathered, but taken
    /// by ``takeBody()``.
    case form(SiteRequest, length: Int, keepsAlive: Bool)
    /// What can't be a request, or may not: the status that says so. Nothing is read after it.
    case refused(Int)
  }

  private let limits: RequestLimits
  private var bytes: [UInt8] = []

  /// Up to where the end of the head has been looked for.
  private var searched = 0
  private var head: Head?
  private var refusal: Int?

  /// How many bytes of a body have to come that is not gathered.
  public private(set) var bodyLeft = 0

  private struct Head {
    var request: SiteRequest
    var length: Int
    var keepsAlive: Bool
  }

  /// Makes a reader.
  public init(limits: RequestLimits = RequestLimits()) {
    self.limits = limits
  }

  /// Whether a request has begun and not ended.
  public var isWithinRequest: Bool { head != nil || !bytes.isEmpty || bodyLeft > 0 }

  /// Takes what has arrived.
  public mutating func append(_ more: some Sequence<UInt8>) {
    if refusal == nil { bytes += more }
  }

  /// The next request, where it is there.
  public mutating func next() -> Step {
    if let refusal { return .refused(refusal) }
    if bodyLeft > 0 { return .more }
    do throws(Refusal) {
      if head == nil { head = try readHead() }
      guard let head else { return .more }
      if Self.isForm(head.request) {
        self.head = nil
        bodyLeft = head.length
        return .form(head.request, length: head.length, keepsAlive: head.keepsAlive)
      }
      guard bytes.count >= head.length else { return .more }
      var request = head.request
      request.body = Array(bytes.prefix(head.length))
      bytes.removeFirst(head.length)
      self.head = nil
      return .request(request, keepsAlive: head.keepsAlive)
    } catch {
      refusal = error.status
      bytes = []
      return .refused(error.status)
    }
  }

  /// What has come of a body that is not gathered; nothing where more bytes have to come.
  public mutating func takeBody() -> [UInt8] {
    let piece = Array(bytes.prefix(bodyLeft))
    bytes.removeFirst(piece.count)
    bodyLeft -= piece.count
    return piece
  }

  private static func isForm(_ request: SiteRequest) -> Bool {
    request.headers["content-type"]?.lowercased().hasPrefix("multipart/form-data") ?? false
  }

  private struct Refusal: Error {
    let status: Int
    init(_ status: Int) { self.status = status }
  }

  private mutating func readHead() throws(Refusal) -> Head? {
    // Some clients end a body with a line break that belongs to no request (RFC 9112, 2.2).
    while bytes.starts(with: [Self.cr, Self.lf]) {
      bytes.removeFirst(2)
      searched = 0
    }
    guard let end = endOfHead() else {
      let line = bytes.prefix(limits.line + 2)
      if line.count > limits.line, !line.contains(Self.lf) { throw Refusal(414) }
      if bytes.count > limits.head { throw Refusal(431) }
      return nil
    }
    if end > limits.head { throw Refusal(431) }
    let lines = try lines(bytes[..<end])
    bytes.removeFirst(end)
    searched = 0
    guard let first = lines.first else { throw Refusal(400) }
    if first.utf8.count > limits.line { throw Refusal(414) }
    var (request, authority) = try requestLine(first)
    let fields = lines.dropFirst()
    if fields.count > limits.headers { throw Refusal(431) }
    for field in fields { try add(field, to: &request.headers) }
    if !request.isOld, request.headers["host"] == nil { throw Refusal(400) }
    // An address in full says by itself whose it is (RFC 9112, 3.2.2).
    if let authority { request.headers["host"] = authority }
    if request.headers["transfer-encoding"] != nil { throw Refusal(411) }
    let length = try length(request.headers["content-length"])
    // How large a file may be is for the page to say that takes it.
    if length > limits.body, !Self.isForm(request) { throw Refusal(413) }
    let connection = request.headers["connection"]?.lowercased() ?? ""
    let keepsAlive = request.isOld ? connection == "keep-alive" : !connection.contains("close")
    return Head(request: request, length: length, keepsAlive: keepsAlive)
  }

  /// The number of bytes of the head with the empty line that ends it.
  private mutating func endOfHead() -> Int? {
    var index = max(0, searched - 3)
    defer { searched = bytes.count }
    while index + 3 < bytes.count {
      if bytes[index] == Self.cr, bytes[index + 1] == Self.lf, bytes[index + 2] == Self.cr,
        bytes[index + 3] == Self.lf
      {
        return index + 4
      }
      index += 1
    }
    return nil
  }

  private func lines(_ head: ArraySlice<UInt8>) throws(Refusal) -> [String] {
    var lines: [String] = []
    for line in head.dropLast(4).split(separator: Self.lf, omittingEmptySubsequences: false) {
      // Every line but the last has kept the first half of its end.
      var line = line
      if line.last == Self.cr {
        line.removeLast()
      } else if line.endIndex < head.endIndex - 4 {
        throw Refusal(400)
      }
      // Other control characters have no business in a head; what is not UTF-8 has none either.
      guard line.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }),
        let text = String(validating: line, as: UTF8.self)
      else { throw Refusal(400) }
      lines.append(text)
    }
    return lines
  }

  private func requestLine(_ line: String) throws(Refusal) -> (SiteRequest, authority: String?) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, isToken(parts[0]) else { throw Refusal(400) }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw Refusal(parts[2].hasPrefix("HTTP/") ? 505 : 400)
    }
    var (address, authority): (Substring, String?) = (parts[1], nil)
    if address.lowercased().hasPrefix("http://") {
      let rest = address.dropFirst("http://".count)
      authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      address = rest.drop { $0 != "/" && $0 != "?" }
      guard authority?.isEmpty == false else { throw Refusal(400) }
    } else if !address.hasPrefix("/") {
      throw Refusal(400)
    }
    let target = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = target.first ?? ""
    var request = SiteRequest(
      method: String(parts[0]), path: path.isEmpty ? "/" : String(path),
      query: target.count > 1 ? String(target[1]) : "")
    request.isOld = parts[2] == "HTTP/1.0"
    return (request, authority)
  }

  private func add(_ line: String, to headers: inout [String: String]) throws(Refusal) {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, isToken(parts[0]) else { throw Refusal(400) }
    let name = parts[0].lowercased()
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    var value = parts[1].drop(while: isBlank)
    while value.last.map(isBlank) == true { value.removeLast() }
    guard headers[name] == nil || !Self.single.contains(name) else { throw Refusal(400) }
    headers[name] = headers[name].map { $0 + ", " + value } ?? String(value)
  }

  private func length(_ text: String?) throws(Refusal) -> Int {
    guard let text else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw Refusal(400) }
    // What no Int holds is too long, too.
    return Int(text) ?? Int.max
  }

  private func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Headers that decide who asks, or where a request ends: two of them may not disagree.
  private static let single: Set<String> = [
    "host", "content-length", "transfer-encoding", "origin", "sec-fetch-site", "content-type",
  ]
  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
}
