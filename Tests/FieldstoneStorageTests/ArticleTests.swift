import FieldstoneCore
import FieldstoneStorage
import Foundation
import Testing

/// The code of the articles of FieldstoneStorage, compiled and run.
@Suite("The articles on storage", .timeLimit(.minutes(20)))
struct ArticleTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test("The overview")
  func overview() async throws {
    let url = folder.file
    // snippet: storage-overview
    let store = FileStore<Settings>(at: url)
    var settings = try await store.value(default: Settings())
    settings.launches += 1
    try await store.save(settings)  // returns once the medium has it
    // end
    #expect(await store.load() == .value(Settings(launches: 2)))

    // snippet: storage-contents
    switch await store.load() {
    case .missing: settings = Settings()
    case .value(let value): settings = value
    case .corrupt(let file): show(file.reason.message)
    case .unreadable(let error): show(error.message)
    case .newer: show("A newer version of this program wrote the settings.")
    }
    // end

    // snippet: storage-update
    let launches = try await store.update(default: Settings()) { settings in
      settings.launches += 1
      return settings.launches
    }
    // end
    #expect(launches == 3)

    // snippet: storage-later
    for launches in 1...100 { store.saveLater(Settings(launches: launches)) }
    try await store.flush()  // the last one is in the file
    // end
    #expect(await store.load() == .value(Settings(launches: 100)))

    let other = FileStore<Settings>(at: url)
    // snippet: storage-changes
    let changes = try store.changes()
    let listener = Task {
      for await change in changes where change.origin == .elsewhere {
        return change.contents.value
      }
      return nil
    }
    // end
    try await other.save(Settings(name: "Grace"))
    #expect(await listener.value == Settings(name: "Grace"))
  }

  @Test("A place that the system names")
  func standardFolder() throws {
    // snippet: storage-folder
    let store = try FileStore<Settings>(
      "settings.json", in: .configuration, application: "org.example.app")
    // end
    #expect(store.url.lastPathComponent == "settings.json")
  }

  @Test("Migrations")
  func migrations() async throws {
    let url = folder.file
    // snippet: storage-migration
    struct OldSettings: Codable { var userName: String }

    let schema = FileSchema(
      2,
      migrations: [
        FileMigration(from: 1, FileCodec<OldSettings>.json, to: FileCodec<Settings>.json) { old in
          Settings(name: old.userName, launches: 0)
        }
      ])
    let store = FileStore<Settings>(at: url, schema: schema)
    // end
    try await FileStore<OldSettings>(at: url, schema: FileSchema(1)).save(.init(userName: "Ada"))
    #expect(await store.load() == .value(Settings(name: "Ada", launches: 0)))
  }

  @Test("Resolving")
  func resolving() async throws {
    try folder.write("nonsense")
    let store = FileStore<Settings>(at: folder.file)
    // snippet: storage-resolve
    if case .corrupt = await store.load() {
      try await store.resolve(.startOver)  // it is kept beside its place, as value.json.corrupt-1
      try await store.save(Settings())
    }
    // end
    #expect(folder.names == ["value.json", "value.json.corrupt-1"])
  }

  private func show(_ text: String) {
    Issue.record("shown: \(text)")
  }
}
