import FieldstoneCore
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

  #if os(Linux)
    @Test("A name that Swift takes for equal is another store's, whose temporary file stays")
    func equalNames() async throws {
      let (composed, decomposed) = ("\u{e9}.json", "e\u{301}.json")
      let temporary = [composed, decomposed].map { ".\($0).0123456789abcdef.fieldstone-tmp" }
      try await FileStore<Int>(at: folder[composed]).save(1)
      for name in temporary { try folder.write("x", to: name) }
      #expect(await FileStore<Int>(at: folder[composed]).load() == .value(1))
      let left = folder.names.filter { $0.hasSuffix("-tmp") }.map { Array($0.utf8) }
      #expect(left == [Array(temporary[1].utf8)])
    }
  #endif

  @Test("The stores in a folder do not list it each, whatever they do")
  func oneListing() async throws {
    let lists = Locked(0)
    let calls = SystemCalls.system.intercepted { call in
      if call == .list { lists.withLock { $0 += 1 } }
    }
    let files = (0..<20).map { folder["\($0).json"] }
    for file in files { try await FileStore<Int>(at: file, options: .fast).save(1) }
    for file in files {
      let store = FileStore<Int>(at: file, options: .fast, calls: calls)
      #expect(await store.load() == .value(1))
      try await store.save(2)
      try await FileStore<Int>(at: file, options: .fast, calls: calls).update { $0 += 1 }
    }
    // Once, and once more where tests beside this one have used so many folders that this is forgotten.
    #expect((1..<files.count).contains(lists.withLock { $0 }))
    #expect(folder.names.count == 20)
  }

  @Test("What a writer could not remove hinders no save, and the next store finds it by its name")
  func leftByName() async throws {
    let isFailing = Locked(false)
    let calls = SystemCalls.system.intercepted { (call) throws(SystemError) in
      // No listing helps.
      if call == .list { throw SystemError(EIO) }
      let fails = call == .rename || call == .remove
      if fails, isFailing.withLock({ $0 }) { throw SystemError(EIO) }
    }
    try await FileStore<Int>(at: folder.file).save(1)
    let store = FileStore<Int>(at: folder.file, calls: calls)
    #expect(await store.load() == .value(1))
    _ = isFailing.exchange(true)
    await #expect(throws: FileStoreError.self) { try await store.save(2) }
    _ = isFailing.exchange(false)
    // The new content and the second name of the old one.
    #expect(folder.names.count == 3)
    try await store.save(3)
    #expect(folder.names.count == 3)
    #expect(await FileStore<Int>(at: folder.file, calls: calls).load() == .value(3))
    #expect(folder.names == ["value.json"])
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
