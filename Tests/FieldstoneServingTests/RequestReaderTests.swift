import FieldstoneServing
import FieldstoneTesting
import Testing

@Suite("A request")
struct RequestReaderTests {
  private func steps(_ text: String) -> [RequestReader.Step] {
    var reader = RequestReader()
    reader.append(text.utf8)
    var steps: [RequestReader.Step] = []
    while true {
      let step = reader.next()
      steps.append(step)
      guard case .request = step else { return steps }
    }
  }

  private static let two =
    "POST /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
    + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

  @Test("does not begin with blank lines")
  func blankLines() throws {
    var reader = RequestReader()
    reader.append("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n".utf8)
    let first = reader.next()
    try #require(first != .more)
    #expect(!reader.isWithinRequest)
    #expect(reader.next() == .more)
    reader.append("G".utf8)
    #expect(reader.isWithinRequest)
  }

  @Test("is the same, however its bytes are cut")
  func cuts() {
    let expected: [RequestReader.Step] = [
      .request(
        SiteRequest(
          method: "POST", target: "/a?b=c",
          headers: ["host": "x", "content-length": "3"], body: Array("abc".utf8)),
        keepsAlive: true),
      .request(
        SiteRequest(target: "/", headers: ["host": "x", "connection": "close"]), keepsAlive: false),
      .more,
    ]
    #expect(steps(Self.two) == expected)
    let bytes = Array(Self.two.utf8)
    for size in 1...bytes.count {
      var reader = RequestReader()
      var found: [RequestReader.Step] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.append(bytes[start..<min(start + size, bytes.count)])
        while case .request(let request, let keeps) = reader.next() {
          found.append(.request(request, keepsAlive: keeps))
        }
      }
      #expect(found == Array(expected.dropLast()), "pieces of \(size)")
      #expect(!reader.isWithinRequest)
    }
  }

  static let refused: [(text: String, status: Int)] = [
    ("GET\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
    ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET x HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
    ("GET / HTTPS\r\nHost: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET http:///path HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\u{0}\r\n\r\n", 400),
    ("GET /\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
    (
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
      411
    ),
    ("POST / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 1\r\n\r\n", 417),
    ("GET / HTTP/1.x\r\nHost: x\r\n\r\n", 505), ("GET / HTTP/1.10\r\nHost: x\r\n\r\n", 505),
    ("GET / http/1.1\r\nHost: x\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n", 400),
    ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: x\n\n\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nOrigin: a\r\nOrigin: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\r\n\r\n", 400), ("GET / HTTP/1.1\r\r\nHost: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n", 400), ("GET / HTTP/1.0\r\r\n\r\n", 400),
    ("GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n", 400), ("GET /ø HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /a \u{301}b HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET \u{301}/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    ("GET /?a\u{301} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
  ]

  @Test("is refused where it has not the form of one", arguments: refused)
  func malformed(_ text: String, _ status: Int) {
    #expect(steps(text) == [.refused(status)])
  }

  @Test("is refused beyond its limits, as soon as that is known")
  func limits() {
    let long = String(repeating: "a", count: 20_000)
    #expect(steps("GET /" + long) == [.refused(414)])
    #expect(steps("GET / HTTP/1.1\r\nHost: x\r\nA: " + long) == [.refused(431)])
    #expect(steps("GET / HTTP/1.1\r\nHost: x\r\nA: \(long)\r\n\r\n") == [.refused(431)])
    let many = (0..<65).map { "A\($0): b\r\n" }.joined()
    #expect(steps("GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n") == [.refused(431)])
    #expect(
      steps("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 262145\r\n\r\n") == [.refused(413)])
    #expect(steps("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 262144\r\n\r\n") == [.more])
  }

  @Test("never ends the reader, whatever the bytes are", arguments: [UInt64](1...40))
  func anything(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var reader = RequestReader()
    let pieces = ["GET / HTTP/1.1", "\r\n", "Host: x", ":", " ", "Content-Length: 5", "\r", "\n"]
    for _ in 0..<200 {
      if Bool.random(using: &random) {
        reader.append((pieces.randomElement(using: &random) ?? "").utf8)
      } else {
        reader.append([UInt8.random(in: 0...255, using: &random)])
      }
      while case .request = reader.next() {}
    }
  }

  @Test("passes over line breaks before a request, and over blanks behind a header")
  func blanks() throws {
    var reader = RequestReader()
    reader.append(
      "\r\n\r\nPOST /faults HTTP/1.1\r\nHost: x \r\nContent-Length: 2\t \r\n\r\nab\r\n".utf8)
    guard case .request(let request, true) = reader.next() else {
      Issue.record("it is no request")
      return
    }
    #expect(request.headers["host"] == "x")
    #expect(request.body == Array("ab".utf8))
    #expect(reader.next() == .more)
    #expect(!reader.isWithinRequest)
  }

  @Test(
    "takes an address in full, whose host is the one that counts",
    arguments: [
      ("http://a:80/airports/BIBD?saved", "/airports/BIBD", "saved"), ("HTTP://a:80", "/", ""),
      ("http://a:80?q=x", "/", "q=x"), ("http://a:80/?q=http://b/", "/", "q=http://b/"),
    ])
  func absolute(_ address: String, _ path: String, _ query: String) {
    var reader = RequestReader()
    reader.append("GET \(address) HTTP/1.1\r\nHost: b\r\n\r\n".utf8)
    guard case .request(let request, _) = reader.next() else {
      Issue.record("it is no request")
      return
    }
    #expect(request.path == path)
    #expect(request.query == query)
    #expect(request.headers["host"] == "a:80")
  }

  @Test(
    "says whether another may follow on its connection",
    arguments: [
      ("1.1", "", true), ("1.1", "Connection: close\r\n", false),
      ("1.1", "Connection: Upgrade, Close\r\n", false),
      ("1.1", "Connection: enclosed\r\n", true), ("1.2", "", true), ("1.0", "", false),
      ("1.0", "Connection: keep-alive\r\n", true),
    ])
  func keepsAlive(_ version: String, _ header: String, _ expected: Bool) {
    guard
      case .request(_, let keepsAlive)? =
        steps("GET / HTTP/\(version)\r\nHost: x\r\n\(header)\r\n").first
    else {
      Issue.record("it is no request")
      return
    }
    #expect(keepsAlive == expected)
  }

  @Test("of an old client needs no host, and may have several cookies")
  func old() {
    let request = SiteRequest(target: "/", headers: ["cookie": "a=b; c=d"])
    guard
      case .request(let read, false)? =
        steps("GET / HTTP/1.0\r\nCookie: a=b\r\nCookie: c=d\r\n\r\n").first
    else {
      Issue.record("it is no request")
      return
    }
    #expect(read.headers == request.headers)
  }

  @Test("that waits for a word before its body gets it once")
  func question() {
    var reader = RequestReader()
    let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    reader.append(head.utf8)
    #expect(reader.next() == .more)
    let asks = [reader.takeQuestion(), reader.takeQuestion()]
    #expect(asks == [true, false])
    reader.append(("ab" + head + "a").utf8)
    guard case .request = reader.next() else {
      Issue.record("it is no request")
      return
    }
    // This one has begun to send without a word.
    #expect(reader.next() == .more)
    let asksAgain = reader.takeQuestion()
    #expect(!asksAgain)
  }

  @Test("with files is handed on before its body, which is taken in pieces")
  func files() {
    var reader = RequestReader()
    reader.append(
      ("POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=a\r\n"
        + "Content-Length: 9000000000\r\n\r\nabc").utf8)
    guard case .body(_, let length, true) = reader.next() else {
      Issue.record("it is no form")
      return
    }
    #expect(length == 9_000_000_000)
    let pieces = [reader.takeBody(), reader.takeBody()]
    #expect(pieces == [Array("abc".utf8), []])
    #expect(reader.bodyLeft == length - 3)
    #expect(reader.isWithinRequest)
  }
}
