/// Parses requests from the bytes of a connection, in pieces of any size; a pure state machine.
///
/// It reads HTTP/1.1 by RFC 9112, and refuses every request that two readers could parse
/// differently: chunked bodies, folded headers, repeated significant headers, and bare line feeds.
package struct RequestReader: Sendable {
  /// The state of the connection after the bytes so far.
  package enum Step: Sendable, Equatable {
    /// More bytes are needed.
    case more
    /// A request, and whether the connection may carry another one.
    case request(SiteRequest, keepsAlive: Bool)
    /// A form with files, whose body is not buffered; ``takeBody()`` returns its pieces.
    case body(SiteRequest, length: Int, keepsAlive: Bool)
    /// The bytes are refused with this status; nothing is read after them.
    case refused(Int)
  }

  private let limits: SiteLimits
  private var bytes: [UInt8] = []
  /// The position up to which the end of the head was searched for.
  private var searched = 0
  private var head: Head?
  private var refusal: Int?

  /// The number of missing bytes of a body that is not buffered.
  package private(set) var bodyLeft = 0

  private struct Head {
    var request: SiteRequest
    var length: Int
    var keepsAlive: Bool
    var asksToContinue: Bool
  }

  package init(limits: SiteLimits = SiteLimits()) {
    self.limits = limits
  }

  /// Whether a request has begun and not ended; blank lines before one do not begin it.
  package var isWithinRequest: Bool {
    head != nil || bodyLeft > 0
      || !bytes.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
  }

  package mutating func append(_ more: some Sequence<UInt8>) {
    if refusal == nil { bytes += more }
  }

  /// The next request, if it is complete.
  package mutating func next() -> Step {
    if let refusal { return .refused(refusal) }
    if bodyLeft > 0 { return .more }
    do throws(Refusal) {
      if head == nil { head = try readHead() }
      guard let head else { return .more }
      if head.request.hasFiles {
        self.head = nil
        bodyLeft = head.length
        return .body(head.request, length: head.length, keepsAlive: head.keepsAlive)
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

  /// Whether the client waits for `100 Continue` before the body; true once for each request.
  package mutating func takeQuestion() -> Bool {
    guard head?.asksToContinue == true else { return false }
    head?.asksToContinue = false
    return bytes.isEmpty
  }

  /// The received bytes of a body that is not buffered; empty if more are needed.
  package mutating func takeBody() -> [UInt8] {
    let piece = Array(bytes.prefix(bodyLeft))
    bytes.removeFirst(piece.count)
    bodyLeft -= piece.count
    return piece
  }

  private struct Refusal: Error {
    let status: Int
    init(_ status: Int) { self.status = status }
  }

  private mutating func readHead() throws(Refusal) -> Head? {
    // Some clients end a body with an extra line break (RFC 9112, 2.2).
    var blank = 0
    while blank + 1 < bytes.count, bytes[blank] == Self.cr, bytes[blank + 1] == Self.lf {
      blank += 2
    }
    if blank > 0 {
      bytes.removeFirst(blank)
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
    if lines.count - 1 > limits.headers { throw Refusal(431) }
    for line in lines.dropFirst() { try add(line, to: &request.headers) }
    if !request.isHTTP10, request.headers["host"] == nil { throw Refusal(400) }
    // An absolute address determines the host (RFC 9112, 3.2.2).
    if let authority { request.headers["host"] = authority }
    // A length and chunks could disagree about the end of the request.
    if request.headers["transfer-encoding"] != nil { throw Refusal(411) }
    let length = try length(request.headers["content-length"])
    // A page that takes files limits their size itself.
    if length > limits.body, !request.hasFiles { throw Refusal(413) }
    let expectation = request.headers["expect"]?.lowercased()
    guard expectation == nil || expectation == "100-continue" else { throw Refusal(417) }
    let wishes = (request.headers["connection"] ?? "").lowercased().split(separator: ",")
      .map { $0.filter { !$0.isWhitespace } }
    return Head(
      request: request, length: length,
      keepsAlive: request.isHTTP10 ? wishes.contains("keep-alive") : !wishes.contains("close"),
      asksToContinue: expectation != nil && length > 0 && !request.isHTTP10)
  }

  /// The size of the head in bytes, including the empty line at its end.
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
    // Without the empty line and the last line feed, each line ends in one carriage return.
    for line in head.dropLast(3).split(separator: Self.lf, omittingEmptySubsequences: false) {
      guard line.last == Self.cr else { throw Refusal(400) }
      let line = line.dropLast()
      guard line.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }),
        let text = String(validating: line, as: UTF8.self)
      else { throw Refusal(400) }
      lines.append(text)
    }
    return lines
  }

  private func requestLine(_ line: String) throws(Refusal) -> (SiteRequest, authority: String?) {
    // By bytes: a combining mark after a blank is one character with it.
    let parts = line.utf8.split(separator: Self.blank, omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard parts.count == 3, isToken(parts[0]), parts[1].utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { throw Refusal(400) }
    // A later 1.x is read as 1.1 (RFC 9110, 2.5).
    guard parts[2].hasPrefix("HTTP/1."), parts[2].utf8.count == 8,
      parts[2].utf8.last.map({ 0x30...0x39 ~= $0 }) == true
    else {
      throw Refusal(parts[2].hasPrefix("HTTP/") ? 505 : 400)
    }
    var (target, authority): (Substring, String?) = (parts[1], nil)
    if target.lowercased().hasPrefix("http://") {
      let rest = target.dropFirst("http://".count)
      authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      target = rest.drop { $0 != "/" && $0 != "?" }
      guard authority?.isEmpty == false else { throw Refusal(400) }
      if !target.hasPrefix("/") { target = "/" + target }
    } else if !target.hasPrefix("/") {
      throw Refusal(400)
    }
    var request = SiteRequest(method: String(parts[0]), target: String(target))
    request.isHTTP10 = parts[2] == "HTTP/1.0"
    return (request, authority)
  }

  private func add(_ line: String, to headers: inout [String: String]) throws(Refusal) {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
      throw Refusal(400)
    }
    let name = line[..<colon].lowercased()
    let isBlank = { (byte: UInt8) in byte == Self.blank || byte == UInt8(ascii: "\t") }
    var bytes = line.utf8[colon...].dropFirst().drop(while: isBlank)
    while bytes.last.map(isBlank) == true { bytes.removeLast() }
    let value = Substring(bytes)
    guard headers[name] == nil || !Self.single.contains(name) else { throw Refusal(400) }
    let separator = name == "cookie" ? "; " : ", "
    headers[name] = headers[name].map { $0 + separator + value } ?? String(value)
  }

  private func length(_ text: String?) throws(Refusal) -> Int {
    guard let text else { return 0 }
    guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw Refusal(400) }
    // A number that does not fit an Int is too large as well.
    return Int(text) ?? .max
  }

  private func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Headers that decide the origin or the end of a request, and so must not be repeated.
  private static let single: Set<String> = [
    "host", "content-length", "transfer-encoding", "origin", "sec-fetch-site", "content-type",
    "authorization", "expect",
  ]
  private static let blank = UInt8(ascii: " ")
  private static let cr = UInt8(ascii: "\r")
  private static let lf = UInt8(ascii: "\n")
}

extension SiteRequest {
  /// Whether the body is a form with files.
  fileprivate var hasFiles: Bool {
    headers["content-type"]?.lowercased().hasPrefix("multipart/form-data") ?? false
  }
}
