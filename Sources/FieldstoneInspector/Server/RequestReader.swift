#if Inspector
  /// Makes requests of the bytes of a connection, however they are cut; a pure state machine.
  struct RequestReader {
    /// The state of the connection after the bytes so far.
    enum Step: Equatable {
      /// More have to come.
      case more
      /// A request; whether another may follow on the same connection.
      case request(InspectorRequest, keepsAlive: Bool)
      /// No request: the status that says so. Nothing is read after it.
      case refused(Int)
    }

    private struct Head {
      var request: InspectorRequest
      var length = 0
      var keepsAlive = true
    }

    private struct Refusal: Error {
      let status: Int
    }

    private let limits: ConnectionLimits
    private var bytes: [UInt8] = []
    /// Up to where the end of the head was looked for.
    private var searched = 0
    private var head: Head?
    private var refusal: Int?

    init(limits: ConnectionLimits = ConnectionLimits()) {
      self.limits = limits
    }

    /// Whether a request has begun and not ended.
    var isWithinRequest: Bool { head != nil || !bytes.isEmpty }

    mutating func append(_ more: some Sequence<UInt8>) {
      if refusal == nil { bytes += more }
    }

    /// The next request, where it is there.
    mutating func next() -> Step {
      if let refusal { return .refused(refusal) }
      do throws(Refusal) {
        if head == nil { head = try readHead() }
        guard var head, bytes.count >= head.length else { return .more }
        head.request.body = Array(bytes.prefix(head.length))
        bytes.removeFirst(head.length)
        self.head = nil
        return .request(head.request, keepsAlive: head.keepsAlive)
      } catch {
        (refusal, bytes) = (error.status, [])
        return .refused(error.status)
      }
    }

    private mutating func readHead() throws(Refusal) -> Head? {
      guard let end = endOfHead() else {
        if bytes.count > limits.head { throw Refusal(status: 431) }
        return nil
      }
      if end > limits.head { throw Refusal(status: 431) }
      let lines = try lines(of: bytes[..<(end - 4)])
      bytes.removeFirst(end)
      searched = 0
      guard let first = lines.first else { throw Refusal(status: 400) }
      var head = try requestLine(first)
      if lines.count - 1 > limits.headers { throw Refusal(status: 431) }
      for line in lines.dropFirst() { try add(line, to: &head.request.headers) }
      guard head.request.headers["host"] != nil else { throw Refusal(status: 400) }
      // A length and chunks could disagree about where the request ends.
      if head.request.headers["transfer-encoding"] != nil { throw Refusal(status: 411) }
      if let text = head.request.headers["content-length"] {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
          throw Refusal(status: 400)
        }
        head.length = Int(text) ?? .max
        if head.length > RequestGuard.longestBody { throw Refusal(status: 413) }
      }
      let connection = head.request.headers["connection"]?.lowercased() ?? ""
      if connection.contains("close") { head.keepsAlive = false }
      return head
    }

    /// The number of bytes of the head, with the empty line that ends it.
    private mutating func endOfHead() -> Int? {
      var index = max(0, searched - 3)
      defer { searched = bytes.count }
      while index + 3 < bytes.count {
        if bytes[index...(index + 3)].elementsEqual("\r\n\r\n".utf8) { return index + 4 }
        index += 1
      }
      return nil
    }

    private func lines(of head: ArraySlice<UInt8>) throws(Refusal) -> [String] {
      var lines: [String] = []
      var rest = head[...]
      while true {
        let end = rest.firstIndex(of: UInt8(ascii: "\r")) ?? rest.endIndex
        let line = rest[..<end]
        // A lone line feed is a control character, too: nobody may read it as the end of a line.
        guard line.allSatisfy({ ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }),
          let text = String(validating: line, as: UTF8.self)
        else { throw Refusal(status: 400) }
        lines.append(text)
        if end == rest.endIndex { return lines }
        guard end + 1 < rest.endIndex, rest[end + 1] == UInt8(ascii: "\n") else {
          throw Refusal(status: 400)
        }
        rest = rest[(end + 2)...]
      }
    }

    private func requestLine(_ line: String) throws(Refusal) -> Head {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, isToken(parts[0]), parts[1].hasPrefix("/") else {
        throw Refusal(status: 400)
      }
      guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
        throw Refusal(status: parts[2].hasPrefix("HTTP/") ? 505 : 400)
      }
      if parts[1].utf8.count > RequestGuard.longestTarget { throw Refusal(status: 414) }
      return Head(
        request: InspectorRequest(method: String(parts[0]), target: String(parts[1])),
        keepsAlive: parts[2] == "HTTP/1.1")
    }

    private func add(_ line: String, to headers: inout [String: String]) throws(Refusal) {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, isToken(parts[0]) else { throw Refusal(status: 400) }
      let name = parts[0].lowercased()
      let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      let value = String(parts[1].drop(while: blank).reversed().drop(while: blank).reversed())
      guard headers[name] == nil || !Self.single.contains(name) else { throw Refusal(status: 400) }
      let separator = name == "cookie" ? "; " : ", "
      headers[name] = headers[name].map { $0 + separator + value } ?? value
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

    /// Headers that decide who asks, or where a request ends: two of them may not disagree.
    private static let single: Set<String> = [
      "host", "content-length", "transfer-encoding", "origin", "sec-fetch-site", "content-type",
    ]
  }
#endif
