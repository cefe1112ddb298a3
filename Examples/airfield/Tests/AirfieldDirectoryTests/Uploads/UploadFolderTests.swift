import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A file that is taken in")
struct UploadFolderTests {
  let folder: TemporaryFolder
  let uploads: UploadFolder

  init() throws {
    folder = try TemporaryFolder()
    uploads = UploadFolder(database: try folder.path("airports.sqlite"), limit: 1_000)
  }

  private var there: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: uploads.path)) ?? []).sorted()
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  static let checksums: [(pieces: [String], checksum: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (["abc"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (["a", "", "bc"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"],
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      ["abcdbcdecdefdefgefghfghighijhijk", "ijkljklmklmnlmnomnopnopq"],
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      [String(repeating: "a", count: 63), "a", String(repeating: "a", count: 936)],
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ]

  @Test("is named by its content, and nobody else may read it", arguments: checksums)
  func named(_ pieces: [String], _ checksum: String) async throws {
    let file = try uploads.begin(name: "../../airports.csv")
    for piece in pieces { try await file.write(Array(piece.utf8)) }
    let part = try #require(there.first)
    #expect(try mode(uploads.path + "/" + part) == 0o600)
    let taken = try await file.finish()
    #expect(taken.path == uploads.path + "/" + checksum + ".csv")
    #expect(taken.name == "airports.csv")
    #expect(there == [checksum + ".csv"])
    #expect(try mode(taken.path) == 0o600)
    #expect(try mode(uploads.path) == 0o700)
    #expect(try String(contentsOfFile: taken.path, encoding: .utf8) == pieces.joined())
  }

  @Test("is refused beyond the limit, and nothing of it stays", arguments: [1, 7, 1_000, 1_001])
  func tooLarge(_ size: Int) async throws {
    let file = try uploads.begin(name: "a.csv")
    let error = await #expect(throws: UploadError.self) {
      for _ in 0...(1_000 / size) { try await file.write(Array(repeating: 65, count: size)) }
    }
    #expect(error == .tooLarge(limit: 1_000))
    #expect(error?.message.contains("larger than 1000 bytes") == true)
    #expect(there.isEmpty)
    let whole = try uploads.begin(name: "a.csv")
    try await whole.write(Array(repeating: 65, count: 1_000))
    #expect(try await whole.finish().size == 1_000)
  }

  @Test("leaves nothing where it was given up, also by being let go")
  func givenUp() async throws {
    let file = try uploads.begin(name: "a.csv")
    try await file.write([65])
    await file.discard()
    await file.discard()
    #expect(there.isEmpty)
    do {
      let forgotten = try uploads.begin(name: "a.csv")
      try await forgotten.write([65])
      #expect(there.count == 1)
    }
    #expect(there.isEmpty)
  }

  @Test("stays as it is when the same content comes again")
  func twice() async throws {
    let first = try uploads.begin(name: "a.csv")
    try await first.write([65])
    let path = try await first.finish().path
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
    let second = try uploads.begin(name: "b.csv")
    try await second.write([65])
    #expect(try await second.finish().path == path)
    #expect(there.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_000))
  }

  @Test("says so where its folder can’t be written")
  func unwritable() throws {
    try Data().write(to: URL(filePath: uploads.path))
    let error = #expect(throws: UploadError.self) { try uploads.begin(name: "a.csv") }
    #expect(
      error?.message.contains("could not be kept in \(uploads.path): Not a directory") == true)
  }

  @Test(
    "is called by the last part of what it was called, on one line",
    arguments: [
      ("airports.csv", "airports.csv"), ("../../etc/passwd", "passwd"), ("/", "a file"),
      ("C:\\Users\\ada\\a.csv", "a.csv"), ("..", "a file"), ("", "a file"), ("a\u{0}b\nc", "abc"),
      ("  a b.csv ", "a b.csv"), ("<b>", "<b>"), ("a/b\\", "b"), ("\u{1}", "a file"),
      (String(repeating: "x", count: 300), String(repeating: "x", count: 100)),
    ])
  func shown(_ name: String, _ expected: String) {
    #expect(UploadName.shown(name) == expected)
  }
}
