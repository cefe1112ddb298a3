import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

// An application's settings, in each form that a store writes.

private struct Preferences: Codable, Sendable, Equatable {
  var name = "Ada"
  var count = 0
}

@Suite("The surface of storage", .timeLimit(.minutes(20)))
final class StorageSurface {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "fieldstone-surface-\(UUID().uuidString)", directoryHint: .isDirectory)

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private var file: URL { folder.appending(path: "preferences.json") }

  @Test("A value is kept, changed and taken away")
  func life() async throws {
    let store = FileStore<Preferences>(at: file)
    #expect(try await !store.exists())
    #expect(await store.load() == .missing && store.url == file)
    #expect(try await store.value(default: Preferences()) == Preferences())
    try await store.save(Preferences(count: 1))
    let count = try await store.update(default: Preferences()) { value in
      value.count += 1
      return value.count
    }
    #expect(count == 2)
    try await store.update(timeout: .seconds(5)) { $0.count += 1 }
    store.saveLater(Preferences(count: 9))
    try await store.flush()
    #expect(await store.load().value?.count == 9)
    try await store.delete()
    #expect(await store.load() == .missing)
  }

  @Test("Each content is matched, and what is in the way is resolved")
  func contents() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("nonsense".utf8).write(to: file)
    let store = FileStore<Preferences>(at: file, options: FileStoreOptions(durability: .fast))
    switch await store.load() {
    case .missing, .value, .unreadable, .newer: Issue.record("It is corrupt.")
    case .corrupt(let corrupt):
      #expect(corrupt.reason.code == .corrupt && corrupt.setAside != nil)
    }
    do throws(FileStoreError) {
      try await store.save(Preferences())
      Issue.record("It went over a corrupt file.")
    } catch {
      #expect(error.path.contains("preferences.json") && error.errorNumber == nil)
      #expect(!error.message.isEmpty && error.underlyingErrors.isEmpty)
    }
    #expect(try await store.resolve(.tryAgain) != .missing)
    #expect(try await store.resolve(.startOver) == .missing)
  }

  @Test("Formats, versions and options are put together")
  func formats() async throws {
    let options = FileStoreOptions(
      durability: .fast, onConflict: .reload, symbolicLinks: .refuse, ownership: .taken,
      lockTimeout: .seconds(1), sizeLimit: 1_000)
    #expect(options.durability == .fast && options != .init())
    let old = FileStore<[String]>(at: file, as: .propertyList(.xml), schema: FileSchema(1))
    try await old.save(["Grace"])
    let schema = FileSchema(
      2,
      migrations: [
        FileMigration(
          from: 1, FileCodec<[String]>.propertyList(.xml), to: FileCodec<Preferences>.json
        ) { Preferences(name: $0.joined()) }
      ])
    let store = FileStore<Preferences>(
      at: file, as: .json, schema: schema, options: options, time: ManualTime().source)
    #expect(await store.load() == .value(Preferences(name: "Grace")))
    let own = FileCodec<Int>(
      encode: { Data("\($0)".utf8) }, decode: { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })
    let numbers = FileStore<Int>(
      at: file, as: own,
      schema: FileSchema(5, plainVersion: 4, migrations: [FileMigration(from: 4) { $0 }]))
    try await numbers.resolve(.startOver)
    try await numbers.save(7)
    #expect(await numbers.load() == .value(7))
  }

  @Test("Changes are heard, with who made them")
  func changes() async throws {
    let (store, other) = (FileStore<Preferences>(at: file), FileStore<Preferences>(at: file))
    try await store.save(Preferences())
    let changes = try store.changes()
    try await other.save(Preferences(count: 5))
    var heard: [FileChange<Preferences>.Origin] = []
    for await change in changes {
      heard.append(change.origin)
      if change.contents.value?.count == 5 { break }
    }
    #expect(heard.last == .elsewhere)
  }

  @Test("A save over what others have written since is a conflict, if that is wanted")
  func conflict() async throws {
    let (store, other) = (FileStore<Preferences>(at: file), FileStore<Preferences>(at: file))
    try await store.save(Preferences())
    try await other.save(Preferences(count: 6))
    let error = await #expect(throws: FileStoreError.self) {
      try await store.save(Preferences(count: 7), onConflict: .reload)
    }
    #expect(error?.code == .changedElsewhere)
    try await store.save(Preferences(count: 7), onConflict: .keepMine)
    #expect(await other.load().value?.count == 7)
  }

  @Test("The system's folders are named")
  func places() throws {
    for folder in StandardFolder.allCases {
      let store = try FileStore<Int>("a.json", in: folder, application: "org.example.app")
      #expect(store.url.path().hasSuffix("org.example.app/a.json"))
      #expect(try store.url.path().hasPrefix(folder.url().path()))
    }
  }

  @Test("Every error is made, and says what to do")
  func errors() {
    let codes: [FileStoreError.Code] =
      [
        .system, .notAFile, .missing, .encoding, .corrupt, .newer(schema: 2), .migration(from: 1),
        .changedElsewhere, .lockTimedOut, .owner, .tooLarge(limit: 3), .noStandardFolder,
      ]
    for code in codes {
      let error = FileStoreError(code, path: "/a.json", errorNumber: 5, underlying: [])
      #expect(error.message.hasSuffix(".") && error.localizedDescription == error.message)
    }
    let corrupt = CorruptFile(reason: FileStoreError(.corrupt, path: "/a.json"), setAside: nil)
    #expect(FileContents<Int>.corrupt(corrupt).value == nil)
  }
}
