import FieldstoneTesting
import Foundation

/// A request that no browser sends, and what it is to be answered with.
struct HostileRequest: Sendable {
  /// How its bytes are cut.
  let pieces: [[UInt8]]

  /// The status of its answer.
  let status: Int

  /// What it is, for whoever reads that it failed.
  let name: String

  /// Whether more of it is sent than is read: a system may then let the answer go with the
  /// connection.
  var isCutOff = false

  init(_ text: String, _ status: Int) {
    pieces = [Array(text.utf8)]
    self.status = status
    name = String(text.prefix(60))
  }

  init(pieces: [[UInt8]], _ status: Int, name: String, isCutOff: Bool = false) {
    self.pieces = pieces
    self.status = status
    self.name = name
    self.isCutOff = isCutOff
  }

  /// All of them, for a server of this name that serves one airport, BIBD.
  static func all(host: String) -> [HostileRequest] {
    let whole = reads(host) + posts(host)
    // The same bit by bit.
    let split = whole.prefix(12).map { request in
      HostileRequest(
        pieces: request.pieces.joined().map { [$0] }, request.status, name: "split " + request.name)
    }
    return whole + split + bytes
  }

  /// Addresses, and what reading them comes to: a page, nothing, or no.
  private static let addresses: [(text: String, status: Int)] = [
    ("/..", 404), ("/../../etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404),
    ("/airports/..%2f..%2fetc", 404), ("//", 404), ("///", 404), ("/%", 404), ("/%0", 404),
    ("/%zz", 404), ("/%00", 404), ("/airports/%00", 404), ("/airports/BIBD%00", 404),
    ("/airports/BIBD%00/edit", 404), ("/airports/%FF%FE", 404),
    ("/airports/%C0%AF", 404), ("/?q=%", 200), ("/?q=%00", 200), ("/?q=%F0%9F", 200),
    ("/?page=-1", 200), ("/?page=9999999999999999999999", 200), ("/?&&&===", 200),
    ("/?q=%22%20OR%20*", 200), ("/?country=%27%3B--", 200), ("/?kind=x", 200),
    ("/airports/'%20OR%201=1--", 404), ("/new?draft=%00", 200),
    ("/live?view=edit&visitor=%00", 200), ("/live?count=-1", 200),
    ("/live?view=directory&count=99999999999999999999", 200),
    ("/live?view=directory&count=9223372036854775807", 200),
    ("/live%00", 404), ("/map.svg?theme=%3Cscript%3E", 200), ("/actions", 405),
    ("/airfield.css/..", 404), ("/export.csv?country=%0D%0AX:%20y&kind=%22", 200),
    ("/export.csv?q=%22%20OR%20*", 200),
    ("/airports/\(String(repeating: "A", count: 3_000))", 404),
    ("/?q=\(String(repeating: "%22", count: 1_000))", 200),
    ("/?\(String(repeating: "a=b&", count: 900))", 200), ("/settings?theme=pink", 200),
    ("/\\..\\windows", 404), ("/;/", 404), ("/#", 404),
  ]

  private static func reads(_ host: String) -> [HostileRequest] {
    addresses.flatMap { address, status in
      ["GET", "HEAD", "POST", "DELETE"].map { method in
        let expected =
          switch method {
          // Nobody asks for the head of something that has no end.
          case "HEAD": address.hasPrefix("/live?") ? 405 : status
          case "GET": status
          // They do not say that they come from a page of ours.
          default: 403
          }
        return HostileRequest(
          "\(method) \(address) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n", expected)
      }
    }
  }

  /// Bodies of forms that say nothing, or what can't be.
  private static let bodies = [
    "", "=", "&&&", "%", "%00=%00", "draft=%00&do=undo", "do=theirs", "do=keep", "name=%FF",
    "icao=%3Cscript%3E&name=x", String(repeating: "tags=x&", count: 2_000),
    "latitude=nan&longitude=inf", "elevation=1e999", "latency=99999999999999999999",
  ]

  private static func posts(_ host: String) -> [HostileRequest] {
    let own = host + "Origin: http://" + host.dropFirst(6) + "Connection: close\r\n"
    let type = "Content-Type: application/x-www-form-urlencoded\r\n"
    return ["/settings", "/faults", "/new", "/airports/BIBD/edit", "/actions"].flatMap { address in
      bodies.map { body in
        HostileRequest(
          "POST \(address) HTTP/1.1\r\n\(own)\(type)Content-Length: \(body.utf8.count)\r\n\r\n"
            + body, status(of: body, at: address))
      } + [
        HostileRequest(
          "POST \(address) HTTP/1.1\r\n\(own)\(type)Content-Length: 999999999\r\n\r\nx", 413),
        HostileRequest(
          "POST \(address) HTTP/1.1\r\n\(own)Content-Type: text/plain\r\nContent-Length: 4\r\n\r\n"
            + "do=x", 415),
      ]
    }
  }

  private static func status(of body: String, at address: String) -> Int {
    // Who asks for something else than to save is sent on to the page where that is done.
    let asks = body.contains("do=")
    return switch address {
    // Settings and faults of which nothing is said stay as they are, and that is saved.
    case "/settings": 200
    case "/faults": body.hasPrefix("latency") ? 422 : 200
    // A new airport of which nothing is said is none.
    case "/new": asks ? 303 : 422
    // Bytes that are no text can be no code, but they can be a name.
    case "/airports/BIBD/edit":
      asks || !["icao", "tags", "latitude", "elevation"].contains(where: body.hasPrefix) ? 303 : 422
    // Nobody has said who asks.
    default: 404
    }
  }

  /// What is no text, and what has no end.
  private static var bytes: [HostileRequest] {
    var random = SeededGenerator(seed: 7)
    var requests = [(1, 400), (10, 400), (1_000, 400), (20_000, 431)].map { length, status in
      HostileRequest(
        pieces: [
          (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) } + [13, 10, 13, 10]
        ], status, name: "\(length) bytes of nothing", isCutOff: length > 16_384)
    }
    requests.append(
      HostileRequest(
        pieces: Array(repeating: Array("A: bbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n".utf8), count: 800),
        431, name: "a head without end", isCutOff: true))
    requests.append(
      HostileRequest(
        pieces: [Array("GET /".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100_000)],
        414, name: "an address without end", isCutOff: true))
    return requests
  }
}
