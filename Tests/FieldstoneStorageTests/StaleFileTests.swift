import FieldstoneStorage
import Foundation
import Testing

@Suite("What killed writers left behind")
struct StaleFileTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private let stale = ".value.json.0123456789abcdef.fieldstone-tmp"

  @Test("Our own stale files go when a store is opened, and nothing else is touched")
  func sweep() async throws {
    try await FileStore<Int>(at: folder.file).save(1)
    let others = [
      ".other.json.0123456789abcdef.fieldstone-tmp", ".value.json.0123456789ABCDEF.fieldstone-tmp",
      ".value.json.0123.fieldstone-tmp", ".value.json.tmp", "value.json~", "value.json.backup",
      ".value.json.x.0123456789abcdef.fieldstone-tmp",
    ]
    for name in others + [stale] { try folder.write("x", to: name) }
    #expect(await FileStore<Int>(at: folder.file).load() == .value(1))
    #expect(folder.names == (others + ["value.json"]).sorted())
    try FileManager.default.createDirectory(
      at: folder[stale], withIntermediateDirectories: false)
    #expect(await FileStore<Int>(at: folder.file).load() == .value(1))
    #expect(folder.names.contains(stale))
  }

  #if os(macOS) || os(Linux)
    @Test("While somebody writes, nothing is swept")
    func sweepWaits() async throws {
      let file = folder.file
      try folder.write("1")
      let other = try await onThread {
        let other = try OtherProcess("hold", file)
        _ = other.line()
        return other
      }
      try folder.write("x", to: stale)
      #expect(await FileStore<Int>(at: file).load() == .value(1))
      #expect(folder.names.contains(stale))
      let lines = try await onThread {
        other.endInput()
        return other.end()
      }
      #expect(lines == ["done"])
      #expect(await FileStore<Int>(at: file).load() == .value(101))
      #expect(!folder.names.contains(stale))
    }
  #endif
}
