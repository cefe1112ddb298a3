import FieldstoneCore
import FieldstoneStorage
import FieldstoneTesting
import Foundation
import Testing

@Suite("A value in a file")
struct FileStoreTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test("A saved value is there, also for another store", arguments: FileDurability.allCases)
  func savesAndLoads(durability: FileDurability) async throws {
    let options = FileStoreOptions(durability: durability)
    let store = FileStore<Settings>(at: folder.file, options: options)
    #expect(await store.load() == .missing)
    #expect(try await !store.exists())
    try await store.save(Settings(name: "Grace", launches: 2))
    #expect(await store.load() == .value(Settings(name: "Grace", launches: 2)))
    let other = FileStore<Settings>(at: folder.file)
    #expect(try await other.value(default: Settings()) == Settings(name: "Grace", launches: 2))
    #expect(try await other.exists())
    #expect(folder.names == ["value.json"])
  }

  @Test("Reading creates nothing: no file, no folder, no lock")
  func readingCreatesNothing() async throws {
    let store = FileStore<Settings>(at: folder["a/b/value.json"])
    #expect(await store.load() == .missing)
    #expect(try await store.value(default: Settings(name: "x")) == Settings(name: "x"))
    #expect(try await !store.exists())
    try await store.resolve(.startOver)
    try await store.resolve(.tryAgain)
    try await store.delete()
    try await store.flush()
    #expect(folder.allNames == [])
    let beside = FileStore<Settings>(at: folder.file)
    #expect(await beside.load() == .missing)
    #expect(folder.allNames == [])
  }

  @Test("JSON is readable, its keys are sorted, and the same value gives the same file")
  func json() async throws {
    try await FileStore<Settings>(at: folder.file).save(Settings(name: "a/b", launches: 3))
    let text = try #require(folder.text())
    #expect(text == "{\n  \"launches\" : 3,\n  \"name\" : \"a/b\"\n}\n")
  }

  @Test("Property lists are read in either form", arguments: [true, false])
  func propertyLists(isBinary: Bool) async throws {
    let writer = FileStore<Settings>(
      at: folder.file, as: .propertyList(isBinary ? .binary : .xml), options: .fast)
    try await writer.save(Settings())
    #expect(try #require(folder.bytes()).starts(with: Data((isBinary ? "bplist" : "<?xml").utf8)))
    let reader = FileStore<Settings>(
      at: folder.file, as: .propertyList(isBinary ? .xml : .binary))
    #expect(await reader.load() == .value(Settings()))
  }

  @Test("A property list has an envelope, too, which notices damage", arguments: [true, false])
  func propertyListInEnvelope(isBinary: Bool) async throws {
    let store = FileStore<Settings>(
      at: folder.file, as: .propertyList(isBinary ? .binary : .xml), schema: FileSchema(3),
      options: .fast)
    try await store.save(Settings(name: "Ada"))
    var bytes = try #require(folder.bytes())
    #expect(bytes.starts(with: Data("fieldstone crc32c=".utf8)))
    #expect(await store.load() == .value(Settings(name: "Ada")))
    bytes[bytes.count - 1] ^= 1
    try folder.write(bytes)
    guard case .corrupt = await store.load() else {
      Issue.record("it is not corrupt")
      return
    }
  }

  @Test("A codec of one's own, with a schema and without", arguments: [true, false])
  func customCodec(hasSchema: Bool) async throws {
    let codec = FileCodec<String>(
      encode: { Data($0.uppercased().utf8) },
      decode: { String(decoding: $0, as: UTF8.self).lowercased() })
    let store = FileStore<String>(
      at: folder.file, as: codec, schema: hasSchema ? FileSchema(1) : nil, options: .fast)
    try await store.save("stone")
    #expect(try #require(folder.text()).hasSuffix("STONE"))
    #expect(await store.load() == .value("stone"))
  }

  @Test("A new file is its owner's alone, and so are the folders that are made for it")
  func newModes() async throws {
    try await FileStore<Int>(at: folder["a/b/value.json"]).save(1)
    #expect(folder.mode(of: "a/b/value.json") == 0o600)
    #expect(folder.mode(of: "a/b") == 0o700)
    #expect(folder.mode(of: "a") == 0o700)
  }

  @Test("The mode of a file is kept", arguments: [0o600, 0o644, 0o640, 0o660, 0o700, 0o666])
  func modeIsKept(mode: Int) async throws {
    try folder.write("1")
    try folder.setMode(mode)
    let store = FileStore<Int>(at: folder.file, options: .fast)
    try await store.save(2)
    try await store.update { $0 += 1 }
    #expect(folder.mode() == mode)
    #expect(folder.text() == "3\n")
  }

  @Test("The owner of a file is kept, by those who may", .enabled(if: getuid() == 0, "needs root"))
  func ownerIsKept() async throws {
    try folder.write("1")
    try #require(chown(folder.file.path(), 65_534, 65_533) == 0)
    try folder.setMode(0o640)
    try await FileStore<Int>(at: folder.file).save(2)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file.path())
    #expect(attributes[.ownerAccountID] as? NSNumber == 65_534)
    #expect(attributes[.groupOwnerAccountID] as? NSNumber == 65_533)
    #expect(folder.mode() == 0o640)
  }

  @Test("A file is not taken from its owner unless the options say so", arguments: [true, false])
  func ownerIsRefused(isTaken: Bool) async throws {
    try folder.write("1")
    // As it is for those who are not root and write a file of somebody else's.
    var calls = SystemCalls.system
    calls.changeOwner = { (_, _, _) throws(SystemError) in throw SystemError(EPERM) }
    let status = calls.status
    calls.status = { (file) throws(SystemError) in
      var found = try status(file)
      if found.size == 1 { found.owner += 1 }
      return found
    }
    let options = FileStoreOptions(ownership: isTaken ? .taken : .kept)
    let store = FileStore<Int>(at: folder.file, options: options, calls: calls)
    if isTaken {
      try await store.save(2)
      #expect(folder.text() == "2\n")
    } else {
      let error = await #expect(throws: FileStoreError.self) { try await store.save(2) }
      #expect(error?.code == .owner)
      #expect(folder.text() == "1")
      #expect(folder.names == ["value.json"])
    }
  }

  @Test("Names of files and folders may begin with a combining mark, as a system takes them")
  func combiningMarks() async throws {
    let url = folder["\u{301}a/\u{301}b.json"]
    let store = FileStore<Int>(at: url)
    try await store.save(1)
    try await store.update { $0 += 1 }
    #expect(await FileStore<Int>(at: url).load() == .value(2))
    #expect(folder.names == ["\u{301}a"])
    let inner = folder["\u{301}a"].path(percentEncoded: false)
    let names = try FileManager.default.contentsOfDirectory(atPath: inner)
    #expect(names.filter { !$0.hasSuffix("-lock") } == ["\u{301}b.json"])
    try Data("{".utf8).write(to: url)
    _ = await store.load()
    try await store.resolve(.startOver)
    try await store.save(3)
    #expect(await store.load() == .value(3))
  }

  @Test("A link is followed, also one that leads nowhere yet, through other folders")
  func linkIsFollowed() async throws {
    let manager = FileManager.default
    try manager.createDirectory(at: folder["there"], withIntermediateDirectories: true)
    try manager.createSymbolicLink(
      atPath: folder["there/second"].path(), withDestinationPath: "../target.json")
    try manager.createSymbolicLink(
      atPath: folder.file.path(), withDestinationPath: "there/second")
    let store = FileStore<Int>(at: folder.file)
    #expect(await store.load() == .missing)
    try await store.save(1)
    try await store.update { $0 += 1 }
    #expect(folder.text(of: "target.json") == "2\n")
    #expect(folder.names == ["target.json", "there", "value.json"])
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.file.path()) == "there/second")
    try await store.delete()
    #expect(folder.names == ["there", "value.json"])
    #expect(await store.load() == .missing)
  }

  @Test("A link is replaced or refused where the options say so")
  func otherLinkPolicies() async throws {
    try folder.write("1", to: "target.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path(), withDestinationPath: "target.json")
    let refusing = FileStore<Int>(at: folder.file, options: .init(symbolicLinks: .refuse))
    let error = await #expect(throws: FileStoreError.self) { try await refusing.save(2) }
    #expect(error?.code == .notAFile)
    #expect(folder.text(of: "target.json") == "1")
    let replacing = FileStore<Int>(at: folder.file, options: .init(symbolicLinks: .replace))
    #expect(await replacing.load() == .value(1))
    try await replacing.save(2)
    #expect(folder.text(of: "target.json") == "1")
    #expect(folder.text() == "2\n")
    #expect(
      throws: (any Error).self,
      performing: {
        try FileManager.default.destinationOfSymbolicLink(atPath: folder.file.path())
      })
  }

  @Test("Links in a circle are an error")
  func circle() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file.path(), withDestinationPath: "value.json")
    let store = FileStore<Int>(at: folder.file)
    guard case .unreadable(let error) = await store.load() else {
      Issue.record("a circle was read")
      return
    }
    #expect(error.errorNumber == ELOOP)
    await #expect(throws: FileStoreError.self) { try await store.save(1) }
  }

  @Test("Delete removes the file and nothing else, and a save makes it again")
  func delete() async throws {
    try folder.write("other", to: "other.txt")
    let store = FileStore<Int>(at: folder.file)
    try await store.save(1)
    try await store.delete()
    try await store.delete()
    #expect(folder.names == ["other.txt"])
    #expect(await store.load() == .missing)
    try await store.save(2)
    #expect(await store.load() == .value(2))
  }

  @Test("A value that fails to encode leaves the file alone", arguments: [true, false])
  func encodingFails(hasSchema: Bool) async throws {
    let schema = hasSchema ? FileSchema(1) : nil
    let store = FileStore<Double>(at: folder.file, schema: schema)
    try await store.save(1.5)
    let before = folder.bytes()
    let error = await #expect(throws: FileStoreError.self) { try await store.save(.infinity) }
    #expect(error?.code == .encoding)
    await #expect(throws: FileStoreError.self) { try await store.update { $0 = .nan } }
    #expect(folder.bytes() == before)
    #expect(folder.names == ["value.json"])
    #expect(await store.load() == .value(1.5))
  }

  @Test("A body that throws leaves the file alone, and its error comes out")
  func updateThrows() async throws {
    let store = FileStore<Int>(at: folder.file)
    try await store.save(1)
    let error = await #expect(throws: MessageError.self) {
      try await store.update { value in
        value = 9
        throw MessageError("no")
      }
    }
    #expect(error?.message == "no")
    #expect(folder.text() == "1\n")
  }

  @Test("An update begins with the default only where there is no file")
  func updateDefault() async throws {
    let store = FileStore<Int>(at: folder.file)
    let error = await #expect(throws: FileStoreError.self) { try await store.update { $0 += 1 } }
    #expect(error?.code == .missing)
    #expect(folder.names == [])
    #expect(
      try await store.update(default: 10) {
        $0 += 1; return $0 * 2
      } == 22)
    #expect(
      try await store.update(default: 10) {
        $0 += 1; return $0 * 2
      } == 24)
  }

  private struct Trip: Codable, Sendable {
    struct Leg: Codable, Sendable { var length: Double }
    var name: String
    var legs: [Leg]
  }

  @Test(
    "What can't be read is named with its place",
    arguments: [
      (#"{"name": "a"}"#, "format: there is no legs. Nothing"),
      (#"{"name": "a", "legs": [{"length": 1}, {}]}"#, "there is no legs[1].length."),
      (#"{"name": null, "legs": []}"#, ": name is null. "),
      (#"{"name": "a", "legs": [{"length": "x"}]}"#, ": legs[0].length is no Double. "),
      ("[]", ": the whole is no "),
    ])
  func place(json: String, words: String) async throws {
    try folder.write(json)
    let error = await #expect(throws: FileStoreError.self) {
      try await FileStore<Trip>(at: folder.file).value(default: Trip(name: "", legs: []))
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("..") == false)
  }

  @Test("A value that can't be written is named with its place")
  func unwritablePlace() async throws {
    let trip = Trip(name: "a", legs: [.init(length: .infinity)])
    let error = await #expect(throws: FileStoreError.self) {
      try await FileStore<Trip>(at: folder.file).save(trip)
    }
    #expect(error?.message.contains(": legs[0].length: ") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("..") == false && error?.message.contains(".;") == false)
  }

  @Test("Names of any length and kind", arguments: [230, 255])
  func longNames(length: Int) async throws {
    let name = String(repeating: "ü", count: length / 2) + (length % 2 == 0 ? "" : "x")
    let store = FileStore<Int>(at: folder[name], options: .fast)
    try await store.save(1)
    try await store.update { $0 += 1 }
    #expect(await store.load() == .value(2))
    #expect(folder.names == [name])
  }

  @Test("Long names share neither lock nor quarantine, even where their CRC-32C is the same")
  func longNamesApart() async throws {
    let beginning = "report-" + String(repeating: "x", count: 180) + "-"
    let names = ["01371838.json", "02000402.json"].map { beginning + $0 }
    for name in names { try await FileStore<Int>(at: folder[name]).save(1) }
    #expect(Set(folder.allNames).count == 4)
    try folder.write("damaged", to: names[0])
    let damaged = await FileStore<Int>(at: folder[names[0]]).load()
    guard case .corrupt(let file) = damaged, let setAside = file.setAside else {
      Issue.record("\(damaged)")
      return
    }
    #expect(setAside.lastPathComponent.hasPrefix(beginning.prefix(160)))
    let other = FileStore<Int>(at: folder[names[1]])
    try await other.delete()
    #expect(await other.load() == .missing)
    #expect(await FileStore<Int>(at: folder[names[0]]).load() == damaged)
  }

  @Test("What is no place of a file is an error and no trap")
  func badPlaces() async throws {
    let urls = [
      try #require(URL(string: "https://example.org/value.json")), URL(filePath: "/"),
      folder.url, folder["value.json/below"],
    ]
    try folder.write("1")
    for url in urls {
      let store = FileStore<Int>(at: url)
      guard case .unreadable(let error) = await store.load() else {
        Issue.record("\(url) was read")
        continue
      }
      #expect(error.message.count > 20)
      await #expect(throws: FileStoreError.self) { try await store.save(2) }
    }
    #expect(throws: FileStoreError.self) { try FileStore<Int>(at: urls[0]).changes() }
    #expect(folder.text() == "1")
    #expect(folder.allNames.filter { !$0.hasSuffix("lock") } == ["value.json"])
  }

  @Test("A file that gives more than it announced is read no further than allowed")
  func growsWhileRead() async throws {
    try folder.write("1" + String(repeating: " ", count: 100_000))
    var calls = SystemCalls.system
    let (status, read) = (calls.status, calls.read)
    calls.status = { (file) throws(SystemError) in
      var found = try status(file)
      found.size = 0
      return found
    }
    let bytes = Locked(0)
    calls.read = { (file, buffer) throws(SystemError) in
      let count = try read(file, buffer)
      bytes.withLock { $0 += count }
      return count
    }
    let store = FileStore<Int>(
      at: folder.file, options: FileStoreOptions(sizeLimit: 10_000), calls: calls)
    guard case .unreadable(let error) = await store.load() else {
      Issue.record("it was read")
      return
    }
    #expect(error.code == .tooLarge(limit: 10_000))
    #expect(bytes.withLock { $0 } < 20_000)
  }

  @Test("A file or a value of more bytes than allowed is refused and left alone")
  func tooLarge() async throws {
    try folder.write("123456")
    let store = FileStore<Int>(at: folder.file, options: FileStoreOptions(sizeLimit: 5))
    guard case .unreadable(let error) = await store.load() else {
      Issue.record("it was read")
      return
    }
    #expect(error.code == .tooLarge(limit: 5))
    await #expect(throws: FileStoreError.self) { try await store.save(1) }
    try await store.delete()
    await #expect(throws: FileStoreError.self) { try await store.save(123_456) }
    try await store.save(1234)
    #expect(folder.text() == "1234\n")
  }

  @Test("The URL of a file on another machine is refused, and nothing is written here")
  func otherMachine() async throws {
    let path = folder.file.path()
    for host in ["server", "127.0.0.1", "LOCALHOST.example"] {
      let url = try #require(URL(string: "file://\(host)\(path)"))
      let store = FileStore<Int>(at: url)
      let error = await #expect(throws: FileStoreError.self) { try await store.save(1) }
      #expect(error?.code == .notAFile && error?.path == url.absoluteString)
      guard case .unreadable = await store.load() else {
        Issue.record("it was read")
        return
      }
    }
    #expect(folder.names.isEmpty)
    let here = try #require(URL(string: "file://LocalHost\(path)"))
    try await FileStore<Int>(at: here).save(2)
    #expect(folder.text() == "2\n")
  }

  @Test("A named pipe does not keep the store for ever")
  func pipe() async throws {
    try #require(mkfifo(folder.file.path(), 0o600) == 0)
    let store = FileStore<Int>(at: folder.file)
    guard case .unreadable(let error) = await store.load() else {
      Issue.record("a pipe was read")
      return
    }
    #expect(error.code == .notAFile)
  }

  @Test("A store that is released still makes the saves that it accepted")
  func releasedStore() async throws {
    var store: FileStore<Int>? = FileStore<Int>(at: folder.file)
    store?.saveLater(7)
    store = nil
    let other = FileStore<Int>(at: folder.file)
    var changes = try other.changes().makeAsyncIterator()
    while await other.load() != .value(7) { _ = await changes.next() }
  }
}
