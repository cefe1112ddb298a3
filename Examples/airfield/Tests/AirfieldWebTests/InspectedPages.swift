import Foundation
import Testing

@testable import AirfieldApp

/// The pages of a server's inspector, in a browser that its token has admitted.
struct InspectedPages: Sendable {
  private let server: RunningServer
  private let cookie: String

  init(_ server: RunningServer) async throws {
    self.server = server
    let answer = try await server.get(try #require(server.inspector).address(at: "/"))
    #expect(answer.hasPrefix("HTTP/1.1 303 "), "\(answer)")
    let line = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    cookie = String(line.dropFirst(12).prefix { $0 != ";" })
  }

  /// The answer with a page.
  func get(_ path: String) async throws -> String {
    try await server.answer(
      to: "GET /inspector\(path) HTTP/1.1\r\n\(server.host)Cookie: \(cookie)\r\n"
        + "Connection: close\r\n\r\n")
  }

  /// The address of a watched object's page; the last of those with its name.
  func object(_ name: String) async throws -> String {
    let page = try await get("/watched")
    let links = page.matches(of: #/"/inspector(/watched/\d+)">([^<]*)</#)
    return String(try #require(links.last { $0.2 == name }, "\(page)").1)
  }

  /// Forces the loads of a watched object, by the form on its page.
  func force(_ load: String, of name: String) async throws {
    let object = try await object(name)
    let page = try await get(object)
    try #require(page.contains("name=\"load\" value=\"\(load)\""), "\(page)")
    let token = try #require(
      page.firstMatch(of: #/<input type="hidden" name="([^"]+)" value="([^"]+)"/#), "\(page)")
    let body = "\(token.1)=\(token.2)&load=\(load)&seconds=5"
    let answer = try await server.answer(
      to: "POST /inspector\(object)/force HTTP/1.1\r\n\(server.host)Cookie: \(cookie)\r\n"
        + "Origin: http://127.0.0.1:\(server.port)\r\nConnection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(answer.hasPrefix("HTTP/1.1 303 "), "\(answer)")
  }
}
