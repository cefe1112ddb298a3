import FieldstoneStorage
import Foundation

/// A value of a size that is usual for settings: about two kilobytes of JSON.
struct SavedRecord: Codable, Sendable {
  var number = 0
  var names = (0..<60).map { "name of the entry \($0)" }
}

/// A store on a file in a folder of its own.
final class StoredRecord: Sendable {
  private let folder: BenchmarkFolder
  private let store: FileStore<SavedRecord>

  init(durability: FileDurability, schema: FileSchema?) async throws {
    folder = try BenchmarkFolder()
    store = FileStore(
      at: folder.file, schema: schema, options: FileStoreOptions(durability: durability))
    try await store.save(SavedRecord())
  }

  func save() async throws {
    try await store.save(SavedRecord())
  }

  func update() async throws {
    try await store.update { $0.number += 1 }
  }
}

/// A folder that goes away with what is measured in it.
final class BenchmarkFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "fieldstone-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  var file: URL { url.appending(path: "value.json", directoryHint: .notDirectory) }
}
