import FlyingSocks
import Foundation
import Testing

/// The pages of a program that serves, asked as a browser does.
struct ServedPages {
  let port: UInt16
  /// The name in the address, by which the server is asked.
  private let hostName: String
  private var cookie: String?

  /// The pages of the address that the program has written.
  init(_ line: String) throws {
    let address = try #require(line.firstMatch(of: /http:\/\/([^\/:]+):(\d+)\//))
    hostName = String(address.output.1)
    port = try #require(UInt16(address.output.2))
  }

  /// The pages of an address with a token, which is asked for first and gives a cookie.
  init(admittedBy line: String) async throws {
    self = try ServedPages(line)
    let token = try #require(line.firstMatch(of: /\/\?token=\S+/))
    let answer = try await get(String(token.output))
    let set = try #require(answer.firstMatch(of: /\r\nSet-Cookie: ([^;\r]+)/), "\(answer)")
    cookie = String(set.output.1)
  }

  private var host: String {
    "Host: \(hostName):\(port)\r\n" + (cookie.map { "Cookie: \($0)\r\n" } ?? "")
  }

  /// The page at an address.
  func get(_ path: String) async throws -> String {
    let socket = try await ask("GET \(path) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
    defer { try? socket.close() }
    return await rest(of: socket)
  }

  /// Posts a form with a file; the answer.
  func post(_ file: Data, name: String) async throws -> String {
    let start = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n"
    let body = Data(start.utf8) + file + Data("\r\n--B--\r\n".utf8)
    let socket = try await ask(
      "POST /import HTTP/1.1\r\n\(host)Origin: http://\(hostName):\(port)\r\nConnection: close\r\n"
        + "Content-Type: multipart/form-data; boundary=B\r\nContent-Length: \(body.count)\r\n\r\n")
    defer { try? socket.close() }
    try await socket.write(body)
    return await rest(of: socket)
  }

  /// Presses a button of a page; the answer.
  func press(_ button: String, at path: String) async throws -> String {
    let body = "do=\(button)"
    let socket = try await ask(
      "POST \(path) HTTP/1.1\r\n\(host)Origin: http://\(hostName):\(port)\r\nConnection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.count)\r\n\r\n"
        + body)
    defer { try? socket.close() }
    return await rest(of: socket)
  }

  /// Follows the events of a page, the import unless another is given, until they have told a text.
  func waitForText(_ text: String, view: String = "import") async throws {
    try await follow(view) { $0.contains(text) }
  }

  private func follow(_ view: String, _ isMet: (String) -> Bool) async throws {
    let socket = try await ask("GET /live?view=\(view) HTTP/1.1\r\n\(host)\r\n")
    defer { try? socket.close() }
    // What was told last is enough, and to look through all of it each time would fall behind.
    var received: [UInt8] = []
    while !isMet(String(decoding: received, as: UTF8.self)) {
      received = Array((received + (try await socket.read(atMost: 4_096))).suffix(16_384))
    }
  }

  private func ask(_ head: String) async throws -> AsyncSocket {
    let address = try sockaddr_in.inet(ip4: "127.0.0.1", port: port)
    let socket = try await AsyncSocket.connected(to: address, timeout: 600)
    try await socket.write(Data(head.utf8))
    return socket
  }

  private func rest(of socket: AsyncSocket) async -> String {
    var received: [UInt8] = []
    while let more = try? await socket.read(atMost: 4_096), !more.isEmpty { received += more }
    return String(decoding: received, as: UTF8.self)
  }
}
