import FieldstoneCore
import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("Operations in line")
struct LineTests {
  let folder: Folder
  let time = ManualTime()
  /// Whether the lock seems to be held by somebody else.
  let isHeld = Locked(false)
  let written = Recorder<Int>()

  init() throws { folder = try Folder() }

  private var store: FileStore<Int> {
    let (isHeld, written, system) = (isHeld, written, SystemCalls.system)
    var calls = system
    calls.tryLock = { (file) throws(SystemError) in
      if isHeld.withLock({ $0 }) { throw SystemError(EWOULDBLOCK) }
      try system.tryLock(file)
    }
    let codec = FileCodec<Int>(
      encode: { value in
        if value < 0 { throw MessageError("\(value) is below zero.") }
        written.record(value)
        return Data("\(value)".utf8)
      },
      decode: { data in
        guard let value = Int(String(decoding: data, as: UTF8.self)) else {
          throw MessageError("It is no number.")
        }
        return value
      })
    return FileStore(at: folder.file, as: codec, options: .fast, time: time.source, calls: calls)
  }

  private enum Session {
    @TaskLocal static var name = "none"
  }

  @Test("Each update in line has the task-local values of its own caller")
  func taskLocals() async throws {
    let store = store
    let first = await occupy(store)
    let names = Recorder<String>()
    let updates = ["alice", "bob"].map { name in
      Task {
        try await Session.$name.withValue(name) {
          try await store.update(default: 0) { _ in names.record(Session.name) }
        }
      }
    }
    letGo()
    try await first.value
    for update in updates { try await update.value }
    #expect(names.elements.sorted() == ["alice", "bob"])
  }

  @Test("An update that is cancelled before its turn is not made, and ends at once")
  func cancelledBeforeItsTurn() async throws {
    let store = store
    let first = await occupy(store)
    let update = Task { try await store.update(default: 0) { $0 = 7 } }
    update.cancel()
    await #expect(throws: CancellationError.self) { try await update.value }
    letGo()
    try await first.value
    try await store.flush()
    #expect(!written.elements.contains(7))
  }

  /// Has a first save wait for the lock, so that what comes then stands in line.
  private func occupy(_ store: FileStore<Int>) async -> Task<Void, any Error> {
    isHeld.withLock { $0 = true }
    let first = Task { try await store.save(0) }
    await time.sleepers(atLeast: 1)
    return first
  }

  private func letGo() {
    isHeld.withLock { $0 = false }
    time.advance(by: .seconds(1))
  }

  @Test("Saves that wait become one, and the last one is written")
  func coalesce() async throws {
    let store = store
    let first = await occupy(store)
    for value in 1...100 { store.saveLater(value) }
    letGo()
    try await store.flush()
    try await first.value
    #expect(written.elements == [0, 100])
    #expect(folder.text() == "100")
  }

  @Test("Saves with different policies do not become one")
  func policiesApart() async throws {
    let store = store
    let first = await occupy(store)
    store.saveLater(1)
    async let other: Void = store.save(2, onConflict: .reload)
    letGo()
    try await other
    try await first.value
    store.saveLater(3)
    try await store.flush()
    #expect(written.elements == [0, 1, 2, 3])
  }

  @Test("A flush waits for every save before it")
  func flushIsABarrier() async throws {
    let store = store
    for value in 1...20 {
      store.saveLater(value)
      try await store.flush()
      #expect(folder.text() == "\(value)")
    }
    #expect(written.elements == Array(1...20))
  }

  @Test("The failure of a save that nobody awaited is thrown by the next flush, once")
  func deferredFailure() async throws {
    try folder.write("nonsense")
    let store = store
    store.saveLater(1)
    let error = await #expect(throws: FileStoreError.self) { try await store.flush() }
    #expect(error?.code == .corrupt)
    try await store.flush()
    #expect(folder.text() == "nonsense")
  }

  @Test("A value that can't be encoded fails alone", arguments: [[1, -2], [-2, 1], [1, -2, -3]])
  func encodingFailsAlone(values: [Int]) async throws {
    let store = store
    let first = await occupy(store)
    for value in values { store.saveLater(value) }
    letGo()
    try await first.value
    let isReplaced = values.last == 1
    if isReplaced {
      try await store.flush()
    } else {
      let error = await #expect(throws: FileStoreError.self) { try await store.flush() }
      #expect(error?.code == .encoding && error?.message.contains("-2") == true)
      try await store.flush()
    }
    #expect(folder.text() == "1" && written.elements == [0, 1])
  }

  @Test("Who waits for a good save does not get the error of a bad one")
  func encodingErrorIsOnesOwn() async throws {
    let store = store
    let first = await occupy(store)
    store.saveLater(-3)
    let good = Task { try await store.save(1) }
    let bad = Task { try await store.save(-2) }
    letGo()
    try await first.value
    // Whichever of the two came first.
    try await good.value
    let error = (await bad.result).failure as? FileStoreError
    #expect(error == nil || error?.code == .encoding)
    #expect(folder.text() == "1")
  }

  @Test("A value with too many bytes fails alone, too")
  func tooLargeFailsAlone() async throws {
    let store = FileStore<Int>(
      at: folder.file, options: FileStoreOptions(durability: .fast, sizeLimit: 4))
    for value in [1, 123_456] { store.saveLater(value) }
    let error = await #expect(throws: FileStoreError.self) { try await store.flush() }
    #expect(error?.code == .tooLarge(limit: 4))
    #expect(folder.text() == "1\n")
  }

  @Test("All who wait for saves that became one hear how it went")
  func allHear() async throws {
    let store = store
    let first = await occupy(store)
    let saves = (1...5).map { value in Task { try await store.save(value) } }
    letGo()
    try await first.value
    for save in saves { try await save.value }
    #expect(written.count <= 6)
    let last = try #require(written.elements.last)
    #expect(folder.text() == "\(last)")
  }

  @Test("An update that is cancelled while it waits ends as cancelled and changes nothing")
  func cancelledUpdate() async throws {
    try folder.write("1")
    let store = store
    isHeld.withLock { $0 = true }
    let update = Task { try await store.update { $0 += 1 } }
    await time.sleepers(atLeast: 1)
    update.cancel()
    await #expect(throws: CancellationError.self) { try await update.value }
    isHeld.withLock { $0 = false }
    #expect(folder.text() == "1")
    try await store.save(2)
    #expect(folder.text() == "2")
  }

  @Test("A save whose task is cancelled is made all the same")
  func cancelledSave() async throws {
    let store = store
    let first = await occupy(store)
    first.cancel()
    letGo()
    try await first.value
    #expect(folder.text() == "0")
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
