import FieldstoneCore
import FieldstoneStorage
import Foundation
import Testing

@Suite("What is in the file")
struct FormatTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func store(
    _ schema: FileSchema? = FileSchema(1), at name: String = "value.json"
  ) -> FileStore<Settings> {
    FileStore(at: folder[name], schema: schema, options: .fast)
  }

  @Test("An envelope is one line of text before what the codec wrote")
  func envelope() async throws {
    let codec = FileCodec<String>(
      encode: { Data($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
    let store = FileStore<String>(at: folder.file, as: codec, schema: FileSchema(7))
    try await store.save("123456789")
    // The checksum was computed by hand from the definition of CRC-32C, by another program.
    #expect(
      folder.text() == "fieldstone crc32c=9bbed8bf format=1 schema=7 length=9\n123456789")
  }

  @Test(
    "Without a schema a text may begin as an envelope does",
    arguments: ["f", "field", "fieldstone crc32c=", "fieldstone crc32c=12345678 format=1\n"])
  func likeAnEnvelope(_ text: String) async throws {
    let codec = FileCodec<String>(
      encode: { Data($0.utf8) }, decode: { String(decoding: $0, as: UTF8.self) })
    let store = FileStore<String>(at: folder.file, as: codec, options: .fast)
    try await store.save(text)
    #expect(await store.load() == .value(text))
    try await store.save(text + "!")
    #expect(await store.load() == .value(text + "!"))
  }

  @Test("A file cut at any byte is corrupt, and nothing of it is lost")
  func cutAnywhere() async throws {
    let settings = Settings(name: "Ada Lovelace", launches: 12)
    try await store().save(settings)
    let whole = try #require(folder.bytes())
    #expect(whole.count > 80)
    for length in 0..<whole.count {
      try folder.write(whole.prefix(length))
      guard case .corrupt(let file) = await store().load() else {
        Issue.record("cut to \(length) bytes it is not corrupt")
        return
      }
      #expect(try Data(contentsOf: #require(file.setAside)) == whole.prefix(length))
      try FileManager.default.removeItem(at: #require(file.setAside))
    }
    try folder.write(whole)
    #expect(await store().load() == .value(settings))
  }

  @Test("A file with any bit flipped, or any byte another, never gives a value")
  func flippedAnywhere() async throws {
    try await store().save(Settings(name: "Ada Lovelace", launches: 12))
    let whole = try #require(folder.bytes())
    let aside = folder["value.json.fieldstone-corrupt"]
    for index in whole.indices {
      for mask in [1, 2, 4, 8, 16, 32, 64, 128, 255] as [UInt8] {
        var flipped = whole
        flipped[index] ^= mask
        try folder.write(flipped)
        guard case .corrupt = await store().load() else {
          Issue.record("byte \(index) with \(mask) flipped is not corrupt")
          return
        }
        #expect(try Data(contentsOf: aside) == flipped)
        try FileManager.default.removeItem(at: aside)
      }
    }
  }

  @Test("Without a checksum damage gives some answer and never a trap", arguments: 0..<3)
  func plainDamage(kind: Int) async throws {
    let codec: FileCodec<Settings> =
      [.json, .propertyList(.xml), .propertyList(.binary)][kind]
    try await FileStore<Settings>(at: folder.file, as: codec, options: .fast).save(Settings())
    let whole = try #require(folder.bytes())
    for index in whole.indices {
      for mask in [1, 16, 128, 255] as [UInt8] {
        var flipped = whole
        flipped[index] ^= mask
        _ = try? codec.decode(flipped)
        _ = try? codec.decode(whole.prefix(index))
      }
    }
  }

  @Test("Bytes added at the end are noticed")
  func longer() async throws {
    try await store().save(Settings())
    try folder.write(try #require(folder.bytes()) + Data("\n".utf8))
    guard case .corrupt = await store().load() else {
      Issue.record("it is not corrupt")
      return
    }
  }

  @Test("A file of no bytes is corrupt, not missing", arguments: [true, false])
  func empty(hasSchema: Bool) async throws {
    try folder.write("")
    guard case .corrupt = await store(hasSchema ? FileSchema(1) : nil).load() else {
      Issue.record("it is not corrupt")
      return
    }
  }

  @Test("A newer schema is refused and left alone", arguments: [true, false])
  func newer(knowsSchemas: Bool) async throws {
    try await store(FileSchema(3)).save(Settings())
    let before = folder.bytes()
    let older = store(knowsSchemas ? FileSchema(2) : nil)
    #expect(await older.load() == .newer(schema: 3))
    let error = await #expect(throws: FileStoreError.self) {
      try await older.value(default: Settings())
    }
    #expect(error?.code == .newer(schema: 3))
    await #expect(throws: FileStoreError.self) { try await older.save(Settings(launches: 9)) }
    await #expect(throws: FileStoreError.self) {
      try await older.update(default: Settings()) { $0.launches = 9 }
    }
    // Nor does a store that has not looked write over it.
    let unread = store(FileSchema(1))
    let refusal = await #expect(throws: FileStoreError.self) { try await unread.save(Settings()) }
    #expect(refusal?.code == .newer(schema: 3))
    #expect(folder.bytes() == before)
    #expect(folder.names == ["value.json"])
  }

  @Test("A newer file is kept when it is resolved by starting over")
  func newerResolved() async throws {
    try await store(FileSchema(3)).save(Settings(name: "new"))
    let before = folder.bytes()
    let older = store(FileSchema(2))
    #expect(try await older.resolve(.tryAgain) == .newer(schema: 3))
    #expect(try await older.resolve(.startOver) == .missing)
    try await older.save(Settings(name: "old"))
    #expect(folder.names == ["value.json", "value.json.newer-1"])
    #expect(folder.bytes(of: "value.json.newer-1") == before)
  }

  // MARK: Migrations

  private struct First: Codable, Sendable { var n: String }
  private struct Second: Codable, Sendable { var title: String }

  private static var schema: FileSchema {
    FileSchema(
      3, plainVersion: 1,
      migrations: [
        // Not in order, as nobody's are.
        FileMigration(from: 2, FileCodec<Second>.json, to: FileCodec<Settings>.json) {
          Settings(name: $0.title + "!", launches: 0)
        },
        FileMigration(from: 1, FileCodec<First>.json, to: FileCodec<Second>.json) {
          Second(title: $0.n + "?")
        },
      ])
  }

  @Test("Versions migrate in order, on a copy, and the first save keeps a backup")
  func migrations() async throws {
    let old = FileStore<First>(at: folder.file, schema: FileSchema(1))
    try await old.save(First(n: "Ada"))
    try folder.setMode(0o640)
    let before = folder.bytes()
    let new = store(Self.schema)
    #expect(await new.load() == .value(Settings(name: "Ada?!", launches: 0)))
    // To load is to read: the file and its folder are as they were.
    #expect(folder.bytes() == before)
    #expect(folder.names == ["value.json"])
    try await new.save(Settings(name: "Grace"))
    #expect(folder.names == ["value.json", "value.json.schema-1"])
    #expect(folder.bytes(of: "value.json.schema-1") == before)
    #expect(folder.mode(of: "value.json.schema-1") == 0o640)
    #expect(await new.load() == .value(Settings(name: "Grace")))
    try await new.save(Settings(name: "Mary"))
    #expect(folder.names == ["value.json", "value.json.schema-1"])
  }

  @Test("An update migrates and keeps a backup, too; a store that never loaded as well")
  func updateMigrates() async throws {
    try await FileStore<Second>(at: folder.file, schema: FileSchema(2)).save(Second(title: "Ada"))
    let before = folder.bytes()
    try await store(Self.schema).update { $0.launches += 1 }
    #expect(folder.bytes(of: "value.json.schema-2") == before)
    #expect(await store(Self.schema).load() == .value(Settings(name: "Ada!", launches: 1)))
  }

  @Test("A file without an envelope has the version that the schema says")
  func plainVersion() async throws {
    try folder.write(#"{"n": "Ada"}"#)
    let new = store(Self.schema)
    #expect(await new.load() == .value(Settings(name: "Ada?!", launches: 0)))
    try await new.save(Settings())
    #expect(folder.text(of: "value.json.schema-1") == #"{"n": "Ada"}"#)
    #expect(try #require(folder.text()).hasPrefix("fieldstone crc32c="))
    #expect(await store(FileSchema(3)).load() == .value(Settings()))
  }

  @Test("Another backup of the same version takes another name, the same one none")
  func moreBackups() async throws {
    for name in ["Ada", "Grace", "Grace"] {
      try folder.write(#"{"n": "\#(name)"}"#)
      try await store(Self.schema).save(Settings())
    }
    #expect(
      folder.names == ["value.json", "value.json.schema-1", "value.json.schema-1-2"])
    #expect(folder.text(of: "value.json.schema-1") == #"{"n": "Ada"}"#)
    #expect(folder.text(of: "value.json.schema-1-2") == #"{"n": "Grace"}"#)
  }

  @Test("A migration that fails or is missing leaves the file alone", arguments: 0..<3)
  func migrationFails(kind: Int) async throws {
    try await FileStore<First>(at: folder.file, schema: FileSchema(1)).save(First(n: "Ada"))
    let before = folder.bytes()
    let migrations: [FileMigration] =
      switch kind {
      case 0: []
      case 1: [FileMigration(from: 1) { _ in throw MessageError("no") }]
      default: [FileMigration(from: 1) { _ in Data("nonsense".utf8) }]
      }
    let new = store(FileSchema(2, migrations: migrations))
    guard case .unreadable(let error) = await new.load() else {
      Issue.record("it was read")
      return
    }
    #expect(error.code == .migration(from: 1))
    await #expect(throws: FileStoreError.self) { try await new.save(Settings()) }
    #expect(folder.bytes() == before)
    #expect(folder.names == ["value.json"])
    #expect(try await new.resolve(.startOver) == .missing)
    #expect(folder.bytes(of: "value.json.unreadable-1") == before)
  }
}
