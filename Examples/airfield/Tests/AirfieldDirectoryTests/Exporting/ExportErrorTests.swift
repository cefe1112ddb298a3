import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("An export that can't be made")
struct ExportErrorTests {
  let place: ExportFolder

  init() throws {
    place = try ExportFolder()
  }

  private func refusal(_ request: ExportRequest) async throws -> ExportError {
    try await place.store(2)
    let error = await #expect(throws: ExportError.self) {
      try await AirportExporter(directory: place.directory).run(request)
    }
    let message = try #require(error?.message)
    #expect(!message.contains("\n"))
    return try #require(error)
  }

  @Test("is one of a country that there is not", arguments: ["ZZ", "Iceland", "", "I", "150", "é"])
  func country(_ code: String) async throws {
    let error = try await refusal(try place.request(country: code))
    #expect(error == .unknownCountry(code.uppercased()))
    #expect(error.message.contains("such as IS"))
    #expect(try place.files.isEmpty)
  }

  @Test("is one into a folder")
  func folder() async throws {
    let path = try place.path("folder")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try await refusal(try place.request("folder")) == .folder(path: path))
    #expect(throws: ExportError.folder(path: "a/")) { try ExportTarget("a/") }
    #expect(throws: ExportError.folder(path: "")) { try ExportTarget("") }
    #expect(try place.files == ["folder"])
  }

  @Test("is one over the database itself")
  func database() async throws {
    let path = try place.path("airports.sqlite")
    #expect(try await refusal(try place.request("airports.sqlite")) == .database(path: path))
    #expect(try await place.directory.count() == 4)
  }

  @Test("is one into a folder that is not there")
  func missingFolder() async throws {
    let error = try await refusal(try place.request("nowhere/airports.csv"))
    #expect(error == .missingFolder(path: try place.path("nowhere")))
    #expect(error.message.contains("make it first"))
  }

  @Test("is one that can't be written, below a file or under too long a name")
  func unwritable() async throws {
    _ = try place.folder.path("file", "")
    for name in ["file/airports.csv", String(repeating: "a", count: 250)] {
      let path = try place.path(name)
      guard case .unwritable(path, let reason) = try await refusal(try place.request(name)) else {
        Issue.record("another error")
        continue
      }
      #expect(!reason.isEmpty)
    }
    #expect(try place.files == ["file"])
  }

  @Test("is one into what is no file")
  func pipe() async throws {
    let path = try place.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(try await refusal(try place.request("pipe")) == .notAFile(path: path))
  }

  @Test(
    "is one to what is no address",
    arguments: [
      "http://", "https://", "http:///airports", "ftp://host/airports", "file:///airports",
      "://host", "http://ho st/", "http://host:99999999999/",
    ])
  func address(_ text: String) {
    #expect(throws: ExportError.badAddress(text)) { try ExportTarget(text) }
  }

  @Test("is told from one to an address that is only spelled otherwise")
  func sameAddress() throws {
    #expect(try ExportTarget("http://host") == ExportTarget("HTTP://host/#part"))
    #expect(try ExportTarget("http://host/a") != ExportTarget("http://host/a?b=c"))
  }

  @Test("can be made once its cause is mended")
  func mended() async throws {
    _ = try await refusal(try place.request("nowhere/airports.csv"))
    try FileManager.default.createDirectory(
      atPath: try place.path("nowhere"), withIntermediateDirectories: true)
    _ = try await AirportExporter(directory: place.directory)
      .run(try place.request("nowhere/airports.csv"))
    #expect(try place.text("nowhere/airports.csv") == ExportFolder.csv(0..<2))
  }
}
