import AirfieldTestSupport
import FieldstoneServing
import Testing

@testable import AirfieldApp

/// A form with a file, as a browser posts it.
struct PostedFile {
  var name: String? = "airports.csv"
  var text: String
  var boundary = "----WebKitFormBoundaryXyZ"

  /// The button that was pressed, where it has a name.
  var button: String?

  var type: String { "multipart/form-data; boundary=" + boundary }

  var body: [UInt8] {
    let file = name.map { "; filename=\"\($0)\"" } ?? ""
    return Array(
      ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"\(file)\r\n"
        + "Content-Type: text/csv\r\n\r\n\(text)\r\n\(pressed)--\(boundary)--\r\n").utf8)
  }

  private var pressed: String {
    let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"do\"\r\n\r\n"
    return button.map { head + $0 + "\r\n" } ?? ""
  }

  /// The request over a connection, its head and its body.
  ///
  /// Its body may be another one, and its length may be said to be another one; so may its path.
  func request(
    _ server: RunningServer, origin: String? = nil, more: String = "Connection: close\r\n",
    body other: [UInt8]? = nil, length: Int? = nil, path: String = "/import"
  ) -> [[UInt8]] {
    let body = other ?? body
    let head =
      "POST \(path) HTTP/1.1\r\n" + server.host
      + "Origin: \(origin ?? "http://127.0.0.1:\(server.port)")\r\n"
      + "Content-Type: \(type)\r\nContent-Length: \(length ?? body.count)\r\n" + more + "\r\n"
    return [Array(head.utf8), body]
  }
}

extension TestSite {
  /// What the site answers to a form with a file that comes in pieces of a size.
  func post(
    _ body: [UInt8], type: String, to path: String = "/import", size: Int = 4_096
  ) async -> SiteResponse {
    let request = SiteRequest(method: "POST", target: path, headers: ["content-type": type])
    return await site.answer(request, body: .pieces(of: body, size: size))
  }

  func post(_ file: PostedFile, to path: String = "/import") async -> SiteResponse {
    await post(file.body, type: file.type, to: path)
  }

  /// Works on imports while `body` runs.
  func working(_ body: () async throws -> Void) async throws {
    try await #require(imports).working(body)
  }
}

extension SiteBody {
  /// A body that comes in pieces of a size.
  static func pieces(of bytes: [UInt8], size: Int) -> SiteBody {
    let pieces = Pieces(bytes, size: size)
    return SiteBody(length: bytes.count) { await pieces.next() }
  }
}

private actor Pieces {
  private var rest: ArraySlice<UInt8>
  private let size: Int

  init(_ bytes: [UInt8], size: Int) {
    rest = bytes[...]
    self.size = size
  }

  func next() -> [UInt8]? {
    defer { rest = rest.dropFirst(size) }
    return rest.isEmpty ? nil : Array(rest.prefix(size))
  }
}
