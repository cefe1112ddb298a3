import FieldstoneCore
import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("Files that are left out of backups")
struct BackupTests {
  let folder: Folder
  private let marked = Recorder<String>()

  init() throws { folder = try Folder() }

  private func calls(isMarked: Bool) -> SystemCalls {
    var calls = SystemCalls.system
    calls.isExcludedFromBackup = { _ in isMarked }
    calls.excludeFromBackup = { [marked] in marked.record($0) }
    return calls
  }

  @Test("A file is left out where the store was told so, before it has its name")
  func told() async throws {
    let store = FileStore<Settings>(
      at: folder.file, options: FileStoreOptions(isExcludedFromBackup: true),
      calls: calls(isMarked: false))
    try await store.save(Settings(name: "a"))
    try await store.save(Settings(name: "b"))
    #expect(marked.count == 2)
    #expect(!marked.elements.contains(folder.file.path))
  }

  @Test(
    "A file that is left out already stays so, and no other becomes so", arguments: [true, false])
  func kept(isMarked: Bool) async throws {
    let store = FileStore<Settings>(at: folder.file, calls: calls(isMarked: isMarked))
    try await store.save(Settings(name: "a"))
    #expect(marked.count == 0)
    try await store.save(Settings(name: "b"))
    #expect(marked.count == (isMarked ? 1 : 0))
  }

  @Test("Of the standard folders, only that of state is left out")
  func folders() {
    let left = StandardFolder.allCases.filter(\.isLeftOutOfBackups)
    #expect(left == [.state])
  }
}
