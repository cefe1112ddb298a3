import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("Changes of a file", .timeLimit(.minutes(20)))
struct ChangesTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func store(_ options: FileStoreOptions = .fast) -> FileStore<Int> {
    FileStore(at: folder.file, options: options)
  }

  /// Takes changes until one is as described.
  private func next(
    _ changes: AsyncStream<FileChange<Int>>, _ contents: FileContents<Int>
  ) async -> FileChange<Int>.Origin? {
    for await change in changes where change.contents == contents { return change.origin }
    return nil
  }

  @Test("What another store writes is noticed, and what this one writes is told apart")
  func origins() async throws {
    let (store, other) = (store(), store())
    #expect(await store.load() == .missing)
    let changes = try store.changes()
    try await other.save(1)
    #expect(await next(changes, .value(1)) == .elsewhere)
    try await store.save(2)
    #expect(await next(changes, .value(2)) == .here)
    try await other.delete()
    #expect(await next(changes, .missing) == .elsewhere)
    try await store.save(3)
    try await store.delete()
    #expect(await next(changes, .missing) == .here)
  }

  @Test("That a corrupt file was deleted or given up is told as a change by this store")
  func givenUp() async throws {
    for isDeleted in [true, false] {
      try folder.write("no number")
      let store = store()
      guard case .corrupt = await store.load() else {
        Issue.record("it is not corrupt")
        return
      }
      let changes = try store.changes()
      if isDeleted {
        try await store.delete()
      } else {
        #expect(try await store.resolve(.startOver) == .missing)
      }
      #expect(await next(changes, .missing) == .here)
    }
  }

  @Test("A change between a load and the beginning of the sequence is not lost")
  func changeBefore() async throws {
    let store = store()
    _ = await store.load()
    try folder.write("1")
    let changes = try store.changes()
    #expect(await next(changes, .value(1)) == .elsewhere)
  }

  private func copy(_ text: String) throws -> URL {
    try folder.write(text, to: "copy")
    return folder["copy"]
  }

  @Test("Touching a file and writing the same content anew is not heard")
  func sameContent() async throws {
    try folder.write("1")
    let (store, heard) = (store(), Recorder<FileContents<Int>>())
    _ = await store.load()
    let changes = try store.changes()
    let listener = Task { for await change in changes { heard.record(change.contents) } }
    for mode in [0o640, 0o600, 0o644] {
      try folder.setMode(mode)
      _ = rename(try copy("1").path(), folder.file.path())
      #expect(await store.load() == .value(1))
    }
    _ = rename(try copy("2").path(), folder.file.path())
    #expect(await heard.elements(atLeast: 1) == [.value(2)])
    listener.cancel()
  }

  @Test("A file that is written in place is noticed when it is whole")
  func inPlace() async throws {
    try folder.write("1")
    let store = store()
    _ = await store.load()
    let changes = try store.changes()
    let handle = try FileHandle(forWritingTo: folder.file)
    try handle.write(contentsOf: Data("23".utf8))
    try handle.close()
    #expect(await next(changes, .value(23)) == .elsewhere)
    #expect(folder.names == ["value.json"])
  }

  @Test("A folder that does not exist yet is waited for, and one that goes and comes again")
  func missingFolder() async throws {
    let file = folder["a/b/value.json"]
    let (store, other) = (
      FileStore<Int>(at: file, options: .fast), FileStore<Int>(at: file, options: .fast)
    )
    _ = await store.load()
    let changes = try store.changes()
    #expect(folder.allNames == [])
    try await other.save(1)
    #expect(await next(changes, .value(1)) == .elsewhere)
    try FileManager.default.removeItem(at: folder["a"])
    #expect(await next(changes, .missing) == .elsewhere)
    try await other.save(2)
    #expect(await next(changes, .value(2)) == .elsewhere)
  }

  @Test("A folder that is made while the store looks where to watch is watched")
  func folderMadeMeanwhile() async throws {
    let (folder, looks) = (folder, Recorder<Void>())
    let top = folder["a"].deletingLastPathComponent().path(percentEncoded: false)
    var calls = SystemCalls.system
    let open = calls.open
    calls.open = { (parent, name, flags, mode) throws(SystemError) in
      let file = try open(parent, name, flags, mode)
      // The folder above is looked at last, once for the place asked for and once for the one that
      // links lead to; then somebody makes the folder, and nobody watches yet.
      if name + "/" == top || name == top {
        looks.record(())
        if looks.count == 2 {
          try? FileManager.default.createDirectory(
            at: folder["a/b"], withIntermediateDirectories: true)
        }
      }
      return file
    }
    let store = FileStore<Int>(at: folder["a/b/value.json"], options: .fast, calls: calls)
    #expect(await store.load() == .missing)
    #expect(looks.count == 0)
    let changes = try store.changes()
    #expect(await store.load() == .missing)
    #expect(folder.allNames.contains("a"))
    try folder.write("1", to: "a/b/value.json")
    #expect(await next(changes, .value(1)) == .elsewhere)
  }

  private static let tellsOfModes: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()

  #if os(macOS) || os(Linux)
    // On a Mac a folder does not tell of the modes of what is in it.
    @Test(
      "A folder that may not be listed for a while is watched again",
      .enabled(if: Self.tellsOfModes),
      arguments: ["a", "a/b"])
    func refusedFolder(refused: String) async throws {
      let (folder, file) = (folder, folder["a/b/value.json"])
      func setMode(_ mode: Int) throws {
        for name in ["a", "a/b"] { try folder.setMode(name == refused ? mode : 0o755, of: name) }
      }
      try FileManager.default.createDirectory(
        at: folder["a/b"], withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.url.path())
      try setMode(0o755)
      try folder.write("1", to: "a/b/value.json")
      let other = try await onThread { try OtherProcess("follow", file) }
      // Also where this throws.
      defer { other.endInput() }
      /// Whether the other process comes to say it.
      func says(_ text: String) async throws -> Bool {
        try await onThread {
          while let line = other.line() { if line == text { return true } }
          return false
        }
      }
      try await withTaskCancellationHandler {
        let first = try await onThread { other.line() }
        if first == "still root" {
          Issue.record(
            "skipped: this system lets no process give up being root", severity: .warning)
          return
        }
        #expect(first == "watched")
        try setMode(0o000)
        #expect(try await says("unreadable \(EACCES)"))
        try setMode(0o755)
        #expect(try await says("value(1)"))
        try folder.write("2", to: "a/b/value.json")
        #expect(try await says("value(2)"))
      } onCancel: {
        other.kill()
      }
      _ = try await onThread {
        other.kill()
        other.end()
      }
    }
  #endif

  @Test("The file that a link leads to is watched, and the link")
  func throughLinks() async throws {
    try FileManager.default.createDirectory(
      at: folder["there"], withIntermediateDirectories: true)
    try folder.write("1", to: "there/one.json")
    try folder.write("2", to: "two.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path(), withDestinationPath: "there/one.json")
    let store = store()
    #expect(await store.load() == .value(1))
    let changes = try store.changes()
    try folder.write("10", to: "there/one.json")
    #expect(await next(changes, .value(10)) == .elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: folder["new"].path(), withDestinationPath: "two.json")
    _ = rename(folder["new"].path(), folder.file.path())
    #expect(await next(changes, .value(2)) == .elsewhere)
    try folder.write("20", to: "two.json")
    #expect(await next(changes, .value(20)) == .elsewhere)
  }

  @Test("A corrupt file is told and not moved; a load moves it")
  func corrupt() async throws {
    try folder.write("1")
    let store = store()
    _ = await store.load()
    let changes = try store.changes()
    try folder.write("nonsense")
    for await change in changes {
      guard case .corrupt(let file) = change.contents else { continue }
      #expect(file.setAside == nil)
      if folder.text() == "nonsense" { break }
    }
    #expect(folder.names == ["value.json"])
    guard case .corrupt(let file) = await store.load() else {
      Issue.record("it is not corrupt")
      return
    }
    #expect(file.setAside != nil)
  }

  @Test("Several who listen hear alike, and who leaves ends the others' listening not")
  func severalListeners() async throws {
    let (store, other) = (store(), store())
    _ = await store.load()
    let one = try store.changes()
    do {
      let two = try store.changes()
      try await other.save(1)
      #expect(await next(one, .value(1)) == .elsewhere)
      #expect(await next(two, .value(1)) == .elsewhere)
    }
    try await other.save(2)
    #expect(await next(one, .value(2)) == .elsewhere)
  }

  @Test("A change is heard by all who listened before it, however late the store looks")
  func lateLook() async throws {
    try folder.write("0")
    let (mayGoOn, reads, isHeld) = (
      DispatchSemaphore(value: 0), Recorder<Void>(), Recorder<Void>()
    )
    var calls = SystemCalls.system
    let (read, close) = (calls.read, calls.close)
    calls.read = { (file, buffer) throws(SystemError) in
      reads.record(())
      return try read(file, buffer)
    }
    calls.close = { (file) throws(SystemError) in
      try close(file)
      // The first operation has read the file and still keeps the line.
      if reads.count > 0, isHeld.count == 0 {
        isHeld.record(())
        mayGoOn.wait()
      }
    }
    let store = FileStore<Int>(at: folder.file, options: .fast, calls: calls)
    let load = Task { await store.load() }
    await isHeld.elements(atLeast: 1)
    let (one, two) = (try store.changes(), try store.changes())
    try folder.write("1")
    mayGoOn.signal()
    #expect(await load.value == .value(0))
    #expect(await next(one, .value(1)) == .elsewhere)
    #expect(await next(two, .value(1)) == .elsewhere)
  }

  @Test("A store that nobody else keeps is released with its sequence")
  func released() async throws {
    weak var released: FileStore<Int>?
    do {
      let store = store()
      released = store
      let changes = try store.changes()
      try await store.save(1)
      var iterator = changes.makeAsyncIterator()
      _ = await iterator.next()
    }
    // The last operation in line may still hold it; the one of another store comes after.
    var turns = 0
    while released != nil, turns < 1_000 {
      _ = await self.store().load()
      turns += 1
    }
    #expect(released == nil)
  }

  // MARK: Conflicts

  @Test("A save over a change that was not read keeps mine, or reloads, as the policy says")
  func conflict() async throws {
    let (keeping, reloading) = (
      store(), store(FileStoreOptions(durability: .fast, onConflict: .reload))
    )
    try folder.write("1")
    _ = await keeping.load()
    _ = await reloading.load()
    try folder.write("2")
    let error = await #expect(throws: FileStoreError.self) { try await reloading.save(10) }
    #expect(error?.code == .changedElsewhere)
    #expect(folder.text() == "2")
    // It has taken up what is there: the next save is on top of that.
    try await reloading.save(11)
    #expect(folder.text() == "11\n")
    try await keeping.save(20)
    #expect(folder.text() == "20\n")
    try await reloading.save(12, onConflict: .keepMine)
    #expect(folder.text() == "12\n")
  }

  @Test("A file that was never read is a conflict; one that is missing or the same is none")
  func conflictUnread() async throws {
    let options = FileStoreOptions(durability: .fast, onConflict: .reload)
    try await store(options).save(1)
    let store = store(options)
    await #expect(throws: FileStoreError.self) { try await store.save(2) }
    let reader = self.store(options)
    _ = await reader.load()
    try folder.write("1\n")
    try await reader.save(3)
    #expect(folder.text() == "3\n")
  }

  @Test("A file that was deleted elsewhere is a conflict, too")
  func conflictDeleted() async throws {
    let store = store(FileStoreOptions(durability: .fast, onConflict: .reload))
    try await store.save(1)
    try FileManager.default.removeItem(at: folder.file)
    await #expect(throws: FileStoreError.self) { try await store.save(2) }
    #expect(folder.names == [])
    try await store.save(3)
    #expect(folder.text() == "3\n")
  }
}
