import AirfieldDirectory
import AirfieldScreens
import AirfieldTestSupport
import AirfieldWeb
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@Suite("The inspector of the directory", .timeLimit(.minutes(10)))
struct InspectorTests {
  /// The cookie that the address with the token gives.
  private func cookie(_ server: RunningServer, _ inspector: DirectoryInspector) async throws
    -> String
  {
    let answer = try await server.get(inspector.address(at: "/"))
    #expect(answer.hasPrefix("HTTP/1.1 303 "), "\(answer)")
    let line = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") })
    return String(line.dropFirst(12).prefix { $0 != ";" })
  }

  private func get(_ path: String, cookie: String, of server: RunningServer) async throws -> String
  {
    try await server.answer(
      to: "GET \(path) HTTP/1.1\r\n\(server.host)Cookie: \(cookie)\r\nConnection: close\r\n\r\n")
  }

  @Test("shows the imports, and each visitor's screens, lists and forms, to who has the token")
  func shows() async throws {
    try await RunningServer.with(importGate: Gate(), isInspected: true) { server in
      let inspector = try #require(server.inspector)
      #expect(try await server.get("/inspector/").hasPrefix("HTTP/1.1 401 "))
      let cookie = try await cookie(server, inspector)
      let screen = await DirectoryScreen(server.model)
      await screen.appear()
      let edit = await AirportEditScreen(server.model, editing: nil, countries: [])
      await eventually { screen.list != nil }

      let runs = try await get("/inspector/runs", cookie: cookie, of: server)
      #expect(runs.hasPrefix("HTTP/1.1 200 "))
      let objects = try await get("/inspector/watched", cookie: cookie, of: server)
      for name in [
        "Settings", "Faults", "Imports", "Directory", "Airports", "Edit of a new airport",
      ] {
        #expect(objects.contains(name), "\(name)")
      }
      withExtendedLifetime((screen, edit)) {}
    }
  }

  @Test("stands before pages that take files as they do without it, and takes none itself")
  func files() async throws {
    try await RunningServer.with(importGate: Gate(), isInspected: true) { server in
      let file = PostedFile(text: "icao")
      let taken = try await server.status(of: file.request(server))
      #expect(taken == 303)
      let refused = try await server.status(of: file.request(server, path: "/inspector/runs"))
      #expect(refused == 415)
    }
  }

  @Test("is not there unless it was asked for")
  func absent() async throws {
    try await RunningServer.with { server in
      for path in ["/inspector/", "/inspectors"] {
        let answer = try await server.get(path)
        #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path)")
      }
    }
  }
}
