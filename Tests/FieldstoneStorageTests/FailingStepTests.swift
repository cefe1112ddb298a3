import FieldstoneCore
import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("A write in which one step fails")
struct FailingStepTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private func store(_ calls: SystemCalls, _ options: FileStoreOptions = .init()) -> FileStore<
    Settings
  > {
    FileStore(at: folder.file, options: options, calls: calls)
  }

  private static let steps: [(SystemCalls.Name, Int32, FileStep)] = [
    (.readLink, EACCES, .find), (.tryLock, ENOLCK, .lock), (.read, EIO, .read),
    (.changeMode, EPERM, .attributes), (.write, ENOSPC, .write), (.write, EIO, .write),
    (.write, EDQUOT, .write), (.sync, EIO, .sync), (.link, EIO, .keep), (.rename, EIO, .rename),
    (.syncFolder, EIO, .syncFolder),
  ]

  @Test(
    "The old value is readable, the error names the step, and no temporary file is left",
    arguments: steps)
  func stepFails(name: SystemCalls.Name, number: Int32, step: FileStep) async throws {
    try await store(.system).save(Settings(name: "old"))
    try folder.setMode(0o640)
    let before = folder.bytes()
    let calls = SystemCalls.system.intercepted { (call) throws(SystemError) in
      if call == name { throw SystemError(number) }
    }
    let error = await #expect(throws: FileStoreError.self) {
      try await store(calls).save(Settings(name: "new"))
    }
    #expect(error?.step == step)
    #expect(error?.errorNumber == number)
    #expect(error?.message.contains(folder.url.lastPathComponent) == true)
    #expect(error?.message.contains(String(cString: strerror(number))) == true)
    #expect(folder.bytes() == before)
    #expect(folder.names == ["value.json"])
    // And the next save is as if nothing had been.
    try await store(.system).save(Settings(name: "next"))
    #expect(await store(.system).load() == .value(Settings(name: "next")))
  }

  @Test("A first save in which a step fails leaves nothing", arguments: steps.dropFirst(4))
  func firstSaveFails(name: SystemCalls.Name, number: Int32, step: FileStep) async throws {
    if name == .link { return }  // There is no old file to keep.
    let calls = SystemCalls.system.intercepted { (call) throws(SystemError) in
      if call == name { throw SystemError(number) }
    }
    let error = await #expect(throws: FileStoreError.self) {
      try await store(calls).save(Settings())
    }
    #expect(error?.step == step)
    #expect(folder.names == [])
    #expect(await store(.system).load() == .missing)
  }

  @Test("The temporary file can't be made")
  func openFails() async throws {
    try await store(.system).save(Settings(name: "old"))
    var calls = SystemCalls.system
    let open = calls.open
    calls.open = { (folder, name, flags, mode) throws(SystemError) in
      if flags & O_EXCL != 0 { throw SystemError(EACCES) }
      return try open(folder, name, flags, mode)
    }
    let error = await #expect(throws: FileStoreError.self) {
      try await store(calls).save(Settings())
    }
    #expect(error?.step == .open)
    #expect(folder.names == ["value.json"])
    #expect(await store(.system).load() == .value(Settings(name: "old")))
  }

  /// How many system calls a save makes.
  private func callCount(_ options: FileStoreOptions) async throws -> Int {
    let names = Recorder<SystemCalls.Name>()
    try await store(SystemCalls.system.intercepted { names.record($0) }, options).save(Settings())
    return names.count
  }

  @Test(
    "Each system call in turn: either the save throws and the old value is there, or it is made",
    arguments: FileDurability.allCases, [EIO, EINTR, ENOSPC, EACCES])
  func eachCallFails(durability: FileDurability, number: Int32) async throws {
    let options = FileStoreOptions(durability: durability)
    try await store(.system).save(Settings(name: "old"))
    try folder.setMode(0o640)
    let count = try await callCount(options)
    #expect(count > 10)
    for failing in 1...count {
      try await store(.system).save(Settings(name: "old"))
      let index = Locked(0)
      let calls = SystemCalls.system.intercepted { (_) throws(SystemError) in
        let isFailing = index.withLock { index in
          index += 1
          return index == failing
        }
        if isFailing { throw SystemError(number) }
      }
      do {
        try await store(calls, options).save(Settings(name: "new"))
        #expect(await store(.system).load() == .value(Settings(name: "new")), "call \(failing)")
      } catch {
        #expect(number != EINTR, "call \(failing) was not made again: \(error)")
        #expect(await store(.system).load() == .value(Settings(name: "old")), "call \(failing)")
      }
      // Whatever could not be removed is swept by the store that came after.
      #expect(folder.names == ["value.json"], "call \(failing)")
      #expect(folder.mode() == 0o640)
    }
  }

  @Test("Short writes go on where they ended", arguments: [1, 7, 4096])
  func shortWrites(most: Int) async throws {
    var calls = SystemCalls.system
    let write = calls.write
    calls.write = { (file, bytes) throws(SystemError) in
      try write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(most)))
    }
    let settings = Settings(name: String(repeating: "long ", count: 2_000))
    try await store(calls).save(settings)
    #expect(await store(.system).load() == .value(settings))
  }

  @Test("Short reads go on where they ended")
  func shortReads() async throws {
    let settings = Settings(name: String(repeating: "long ", count: 200))
    try await store(.system).save(settings)
    var calls = SystemCalls.system
    let read = calls.read
    calls.read = { (file, buffer) throws(SystemError) in
      try read(file, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(3)))
    }
    #expect(await store(calls).load() == .value(settings))
  }

  @Test("A write that takes nothing and says nothing is an error and no endless loop")
  func writeTakesNothing() async throws {
    var calls = SystemCalls.system
    calls.write = { (_, _) throws(SystemError) in 0 }
    let error = await #expect(throws: FileStoreError.self) {
      try await store(calls).save(Settings())
    }
    #expect(error?.step == .write)
    #expect(folder.names == [])
  }

  #if os(Linux)
    @Test(
      "The limits of inotify are told by their names",
      arguments: [(EMFILE, "max_user_instances"), (ENOSPC, "max_user_watches")])
    func limitsOfWatching(number: Int32, limit: String) {
      let error = FileStoreError(at: .watch, path: "value.json", errorNumber: number)
      #expect(error.message.contains("fs.inotify.\(limit)"))
      let other = FileStoreError(at: .write, path: "value.json", errorNumber: number)
      #expect(!other.message.contains("inotify"))
    }
  #endif

  @Test("Space runs out in the middle")
  func noSpaceInTheMiddle() async throws {
    try await store(.system).save(Settings(name: "old"))
    var calls = SystemCalls.system
    let (write, left) = (calls.write, Locked(100))
    calls.write = { (file, bytes) throws(SystemError) in
      let most = left.withLock { left in
        defer { left -= min(left, bytes.count) }
        return left
      }
      if most == 0 { throw SystemError(ENOSPC) }
      return try write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(most)))
    }
    let long = Settings(name: String(repeating: "long ", count: 2_000))
    let error = await #expect(throws: FileStoreError.self) { try await store(calls).save(long) }
    #expect(error?.errorNumber == ENOSPC)
    #expect(error?.message.contains("Free some space") == true)
    #expect(await store(.system).load() == .value(Settings(name: "old")))
    #expect(folder.names == ["value.json"])
  }

  @Test("A file system without second names is written all the same")
  func noLinks() async throws {
    try await store(.system).save(Settings(name: "old"))
    var calls = SystemCalls.system
    calls.link = { (_, _, _) throws(SystemError) in throw SystemError(EPERM) }
    try await store(calls).save(Settings(name: "new"))
    #expect(await store(.system).load() == .value(Settings(name: "new")))
  }

  @Test("The content is synced before it gets its name, and the name before the save returns")
  func order() async throws {
    try await store(.system).save(Settings())
    let names = Recorder<SystemCalls.Name>()
    try await store(SystemCalls.system.intercepted { names.record($0) }).save(Settings())
    let order = names.elements.filter { [.write, .sync, .link, .rename, .syncFolder].contains($0) }
    #expect(order == [.write, .sync, .link, .rename, .syncFolder])
    names.removeAll()
    try await store(SystemCalls.system.intercepted { names.record($0) }, .fast).save(Settings())
    let fast = names.elements.filter { [.write, .sync, .link, .rename, .syncFolder].contains($0) }
    #expect(fast == [.write, .rename])
  }

  @Test("A folder that is made is synced into the one above it, when durable")
  func newFolders() async throws {
    let names = Recorder<SystemCalls.Name>()
    let calls = SystemCalls.system.intercepted { names.record($0) }
    try await FileStore<Int>(at: folder["a/b/value.json"], calls: calls).save(1)
    let order = names.elements.filter { [.makeFolder, .rename, .syncFolder].contains($0) }
    #expect(order == [.makeFolder, .syncFolder, .makeFolder, .syncFolder, .rename, .syncFolder])
  }

  @Test("Temporary names that somebody has already are tried anew, not for ever")
  func takenNames() async throws {
    let (calls, count) = (SystemCalls.system, Locked(0))
    var taken = calls
    taken.open = { (folder, name, flags, mode) throws(SystemError) in
      if flags & O_EXCL != 0, !name.hasSuffix("-lock"),
        count.withLock({
          $0 += 1; return $0 <= 3
        })
      {
        throw SystemError(EEXIST)
      }
      return try calls.open(folder, name, flags, mode)
    }
    try await store(taken).save(Settings())
    #expect(count.withLock { $0 } == 4)
    taken.open = { (folder, name, flags, mode) throws(SystemError) in
      if flags & O_EXCL != 0, !name.hasSuffix("-lock") { throw SystemError(EEXIST) }
      return try calls.open(folder, name, flags, mode)
    }
    await #expect(throws: FileStoreError.self) { try await store(taken).save(Settings()) }
  }
}
