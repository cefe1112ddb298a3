import FieldstoneStorage
import Foundation
import Testing

@Suite("Files that can't be read")
struct ResolutionTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private var store: FileStore<Settings> { FileStore(at: folder.file, options: .fast) }

  private var aside: URL { folder["value.json.fieldstone-corrupt"] }

  @Test("A corrupt file is set aside, and saves throw until it is resolved")
  func corrupt() async throws {
    try folder.write("{ nonsense")
    let store = store
    guard case .corrupt(let file) = await store.load() else {
      Issue.record("it is not corrupt")
      return
    }
    #expect(file.setAside == aside)
    #expect(file.reason.code == .corrupt)
    #expect(folder.names == ["value.json.fieldstone-corrupt"])
    #expect(folder.text(of: "value.json.fieldstone-corrupt") == "{ nonsense")
    for _ in 0..<2 {
      let error = await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
      #expect(error?.code == .corrupt)
    }
    await #expect(throws: FileStoreError.self) {
      try await store.update(default: Settings()) { $0.launches += 1 }
    }
    await #expect(throws: FileStoreError.self) { try await store.value(default: Settings()) }
    #expect(folder.names == ["value.json.fieldstone-corrupt"])
    #expect(try await store.resolve(.startOver) == .missing)
    try await store.save(Settings())
    #expect(folder.names == ["value.json", "value.json.corrupt-1"])
    #expect(folder.text(of: "value.json.corrupt-1") == "{ nonsense")
  }

  @Test("It is known as corrupt to other stores and after a restart")
  func corruptForAll() async throws {
    try folder.write("{ nonsense")
    _ = await store.load()
    let other = store
    guard case .corrupt(let file) = await other.load() else {
      Issue.record("it is not corrupt")
      return
    }
    #expect(file.setAside == aside)
    let unread = store
    await #expect(throws: FileStoreError.self) { try await unread.save(Settings()) }
    try await other.resolve(.startOver)
    try await unread.save(Settings())
    #expect(folder.names == ["value.json", "value.json.corrupt-1"])
  }

  @Test("A save that comes before a load does not go over a corrupt file either")
  func corruptUnread() async throws {
    try folder.write("{ nonsense")
    await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
    #expect(folder.text() == "{ nonsense")
    try await store.resolve(.startOver)
    #expect(folder.text(of: "value.json.corrupt-1") == "{ nonsense")
  }

  @Test("A file that was mended where it was set aside goes back and is read")
  func tryAgain() async throws {
    try folder.write("{ nonsense")
    let store = store
    _ = await store.load()
    try folder.write(#"{"name": "Ada", "launches": 5}"#, to: "value.json.fieldstone-corrupt")
    #expect(try await store.resolve(.tryAgain) == .value(Settings(launches: 5)))
    #expect(folder.names == ["value.json"])
    try await store.save(Settings())
  }

  @Test("Tried again it may still be corrupt, and nothing is lost")
  func tryAgainInVain() async throws {
    try folder.write("{ nonsense")
    let store = store
    _ = await store.load()
    guard case .corrupt = try await store.resolve(.tryAgain) else {
      Issue.record("it is not corrupt")
      return
    }
    #expect(folder.text(of: "value.json.fieldstone-corrupt") == "{ nonsense")
    #expect(folder.names == ["value.json.fieldstone-corrupt"])
  }

  @Test("Corrupt files one after the other are all kept")
  func manyCorrupt() async throws {
    let store = store
    for text in ["{ one", "{ two", "{ three"] {
      try folder.write(text)
      _ = await store.load()
    }
    let texts = folder.names.map { folder.text(of: $0) }
    #expect(Set(texts) == ["{ one", "{ two", "{ three"])
    try await store.resolve(.startOver)
    try await store.save(Settings())
    #expect(folder.names.count == 4)
  }

  @Test("A neighbour's file beside a missing one is nothing to this store")
  func neighbour() async throws {
    let names = ["value.json.corrupt", "value.json.bak", "value.json.corrupt-1"]
    for name in names { try folder.write("not ours", to: name) }
    let store = store
    #expect(await store.load() == .missing)
    #expect(try await store.resolve(.tryAgain) == .missing)
    #expect(try await store.resolve(.startOver) == .missing)
    try await store.save(Settings())
    try await store.delete()
    #expect(await store.load() == .missing)
    #expect(folder.names == names.sorted())
    for name in names { #expect(folder.text(of: name) == "not ours") }
  }

  @Test("Of several corrupt files the last one waits, is reported, and is the one that comes back")
  func lastWaits() async throws {
    let store = store
    for text in ["{ one", "{ two"] {
      try folder.write(text)
      guard case .corrupt(let file) = await store.load() else {
        Issue.record("it is not corrupt")
        return
      }
      #expect(file.setAside == aside)
      #expect(folder.text(of: "value.json.fieldstone-corrupt") == text)
      #expect(try await store.exists())
    }
    #expect(folder.text(of: "value.json.corrupt-1") == "{ one")
    try folder.write(#"{"name":"mended","launches":7}"#, to: "value.json.fieldstone-corrupt")
    #expect(
      try await store.resolve(.tryAgain) == .value(Settings(name: "mended", launches: 7)))
    #expect(folder.names == ["value.json", "value.json.corrupt-1"])
  }

  @Test("A link that saves replace is set aside, reported and deleted like a file")
  func linkSetAside() async throws {
    try folder.write("{ nonsense", to: "target.json")
    func link() throws {
      try FileManager.default.createSymbolicLink(
        at: folder.file, withDestinationURL: folder["target.json"])
    }
    try link()
    var options = FileStoreOptions.fast
    options.symbolicLinks = .replace
    for _ in 0..<2 {
      let store = FileStore<Settings>(at: folder.file, options: options)
      guard case .corrupt(let file) = await store.load() else {
        Issue.record("it is not corrupt")
        return
      }
      #expect(file.setAside == aside)
      await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
    }
    let store = FileStore<Settings>(at: folder.file, options: options)
    try await store.resolve(.startOver)
    try link()
    try await store.delete()
    #expect(try await !store.exists())
    #expect(folder.names == ["target.json", "value.json.corrupt-1"])
    #expect(folder.text(of: "target.json") == "{ nonsense")
  }

  @Test("A folder with the name of a file that was set aside is no such file")
  func folderSetAside() async throws {
    try FileManager.default.createDirectory(at: aside, withIntermediateDirectories: false)
    let store = store
    #expect(await store.load() == .missing)
    try await store.save(Settings())
    try folder.write("{ nonsense")
    for _ in 0..<2 {
      guard case .corrupt(let file) = await store.load() else {
        Issue.record("it is not corrupt")
        return
      }
      // None could wait there: the file stays in place, so that saves are refused.
      #expect(file.setAside == nil && folder.text() == "{ nonsense")
    }
    await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
    try await store.resolve(.startOver)
    try await store.save(Settings())
    #expect(folder.text(of: "value.json.corrupt-1") == "{ nonsense")
  }

  @Test("A file that can't be moved stays, and saves throw all the same")
  func cannotBeMoved() async throws {
    try folder.write("{ nonsense")
    var calls = SystemCalls.system
    calls.rename = { (_, _, _) throws(SystemError) in throw SystemError(EACCES) }
    let store = FileStore<Settings>(at: folder.file, calls: calls)
    guard case .corrupt(let file) = await store.load() else {
      Issue.record("it is not corrupt")
      return
    }
    #expect(file.setAside == nil)
    #expect(folder.text() == "{ nonsense")
    await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
    await #expect(throws: FileStoreError.self) { try await store.resolve(.startOver) }
    #expect(folder.text() == "{ nonsense")
  }

  @Test("Delete takes away what keeps saves from being made, and keeps what was set aside")
  func deleteResolves() async throws {
    try folder.write("{ nonsense")
    let store = store
    _ = await store.load()
    try await store.delete()
    #expect(await store.load() == .missing)
    #expect(folder.names == ["value.json.corrupt-1"])
  }

  @Test("A file that can't be opened is unreadable, not missing", arguments: [EACCES, EIO, EMFILE])
  func unreadable(number: Int32) async throws {
    try folder.write(#"{"name": "Ada", "launches": 5}"#)
    let path = folder.file.path()
    var calls = SystemCalls.system
    let open = calls.open
    calls.open = { (folder, name, flags, mode) throws(SystemError) in
      if name == path, access(path, F_OK) == 0 { throw SystemError(number) }
      return try open(folder, name, flags, mode)
    }
    let store = FileStore<Settings>(at: folder.file, calls: calls)
    guard case .unreadable(let error) = await store.load() else {
      Issue.record("it was taken for something else")
      return
    }
    #expect(error.errorNumber == number)
    await #expect(throws: FileStoreError.self) { try await store.value(default: Settings()) }
    await #expect(throws: FileStoreError.self) { try await store.save(Settings()) }
    await #expect(throws: FileStoreError.self) { try await store.update { $0.launches += 1 } }
    #expect(folder.text() == #"{"name": "Ada", "launches": 5}"#)
    #expect(try await store.exists())
    #expect(try await store.resolve(.startOver) == .missing)
    #expect(folder.text(of: "value.json.unreadable-1") == #"{"name": "Ada", "launches": 5}"#)
  }

  #if os(macOS) || os(Linux)
    @Test(
      "A file that this user may not read is unreadable, not missing, and is not saved over; a folder that may not be listed is not watched",
      arguments: [0o777, 0o711])
    func unreadableForNobody(folderMode: Int) async throws {
      try folder.write("1")
      try folder.setMode(0o000)
      // It may not write into the folder either way; what matters is that it may look into it.
      try FileManager.default.setAttributes(
        [.posixPermissions: folderMode], ofItemAtPath: folder.url.path())
      let file = folder.file
      let lines = try await onThread { try OtherProcess("unprivileged", file).end() }
      if lines == ["still root"] {
        Issue.record("skipped: this system lets no process give up being root", severity: .warning)
        return
      }
      let changes = folderMode == 0o777 ? "watched" : "no changes: \(EACCES)"
      #expect(lines == ["unreadable \(EACCES)", "no default", "refused", changes])
      try folder.setMode(0o600)
      #expect(folder.text() == "1")
    }
  #endif
}
