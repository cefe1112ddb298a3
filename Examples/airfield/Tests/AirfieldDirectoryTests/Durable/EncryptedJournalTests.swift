import AirfieldTestSupport
import Crypto
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import FieldstoneTesting
import Foundation
import GRDB
import Testing

@Suite("A journal whose payloads are encrypted")
struct EncryptedJournalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Says each word once: a stage, a signal, an error, a child, a completion.
  private enum Confession: DurableStage, VersionedFlow {
    case begin(String)
    case split
    case child(String)
    case done(String)

    static let flowName = "confession"

    struct Refusal: DescribedError { let message: String }

    func next(in context: DurableContext<Void>) async throws -> DurableStep<Self, String> {
      switch self {
      case .begin:
        if context.attempt == 1 { throw Refusal(message: "word-of-the-error") }
        return .receive("go", until: nil, then: .split)
      case .split:
        let word = try context.signal(as: String.self) ?? "none"
        return .join([try context.child(Self.child("word-of-the-child"))], then: .done(word))
      case .child(let word): return .complete(word)
      case .done(let word):
        var words = [word]
        for try await child in context.children { words.append(try child.value(as: String.self)) }
        return .complete((words + ["word-of-the-completion"]).joined(separator: " "))
      }
    }
  }

  private static let words = ["stage", "signal", "error", "child", "completion", "schedule"].map {
    "word-of-the-\($0)"
  }

  /// The words that are in the files of the folder and in a backup, each once.
  private func found(in pool: DatabasePool) async throws -> Set<String> {
    let backup = try DatabaseQueue(path: folder.path("backup.sqlite"))
    try pool.backup(to: backup)
    try backup.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names).isSuperset(of: ["journal.sqlite", "journal.sqlite-wal", "backup.sqlite"]))
    var found: Set<String> = []
    for name in names {
      let bytes = try Data(contentsOf: folder.url.appending(path: name))
      for word in Self.words where bytes.firstRange(of: Data(word.utf8)) != nil {
        found.insert(word)
      }
    }
    return found
  }

  /// The bytes of a key, as an app reads them from where its secrets are.
  private func storedKey(_ number: UInt8) throws -> Data {
    let file = URL(filePath: try folder.path("\(number).key"))
    if let bytes = try? Data(contentsOf: file) { return bytes }
    try SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.write(to: file)
    return try Data(contentsOf: file)
  }

  private func tellAll(_ journal: any Journal) async throws -> String {
    let options = FlowOptions<Confession>(retryPolicy: { _ in
      StageRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
    })
    let runner = try DurableRunner(
      journal: journal, flows: [DurableFlow(Confession.self, options: options)])
    try await runner.setSchedule(
      "never", of: Confession.begin("word-of-the-schedule"), .every(.seconds(86_400), from: .now))
    let work = Task { try await runner.run() }
    defer { work.cancel() }
    let run = try await runner.start(Confession.begin("word-of-the-stage"))
    try await run.signal("go", "word-of-the-signal")
    return try await run.value
  }

  @Test("No file has a word of it, nor has a backup; without the codec all words are there")
  func grep() async throws {
    let pool = try DatabasePool(path: folder.path("journal.sqlite"))
    let database = try SQLiteJournal(in: pool)
    // snippet: durable-encrypted
    let vault = Vault(keys: [1: SymmetricKey(data: try storedKey(1))], current: 1)
    let journal = CodedJournal(database, codec: vault)
    // end
    let told = try await tellAll(journal)
    #expect(told == "word-of-the-signal word-of-the-child word-of-the-completion")
    #expect(try await found(in: pool) == [])
    var findings: [JournalFinding] = []
    try await journal.verify { findings.append($0) }
    #expect(findings.isEmpty)
    // The same again without it, to see that they would be found.
    _ = try await tellAll(database)
    #expect(try await found(in: pool) == Set(Self.words))
  }

  @Test("With a new key old runs are read; without the old one they are blocked, and go on later")
  func rotation() async throws {
    let database = try SQLiteJournal(path: folder.path("journal.sqlite"))
    let old = SymmetricKey(data: try storedKey(1))
    let before = CodedJournal(database, codec: Vault(keys: [1: old], current: 1))
    let id = RunID(at: .now)
    _ = try await before.start(
      RunStart(id: id, flow: "f", version: 1, payload: Data(#""a""#.utf8)), at: .now)
    // snippet: durable-vault-rotated
    let new = SymmetricKey(data: try storedKey(2))
    let vault = Vault(keys: [1: old, 2: new], current: 2)
    let journal = CodedJournal(database, codec: vault)
    // end
    #expect(try await journal.run(id)?.payload == Data(#""a""#.utf8))
    _ = try await journal.change(id, .edit(Data(#""b""#.utf8), version: nil), at: .now)
    #expect(try await journal.run(id)?.payload == Data(#""b""#.utf8))
    let unread = try #require(try await before.run(id))
    let error = #expect(throws: PayloadError.self) {
      try StageJSON.value(String.self, from: unread.payload)
    }
    #expect(error?.message.contains("give the codec the key") == true)
  }

  @Test("A payload that was changed or moved does not decode, by the tag of the cipher")
  func tampered() throws {
    let vault = Vault(keys: [1: SymmetricKey(size: .bits256)], current: 1)
    let place = PayloadContext(.stage, run: RunID(at: .now), sequence: 1)
    let bytes = try vault.encode(Data("secret".utf8), for: place)
    #expect(bytes.count - 6 <= vault.maximumOverhead)
    #expect(try vault.decode(bytes, for: place) == Data("secret".utf8))
    let elsewhere = PayloadContext(.stage, run: place.run, sequence: 2)
    #expect(throws: CryptoKitError.self) { try vault.decode(bytes, for: elsewhere) }
    var changed = bytes
    changed[changed.count - 1] ^= 1
    #expect(throws: CryptoKitError.self) { try vault.decode(changed, for: place) }
  }
}

extension JournalTime {
  fileprivate static var now: Self { Self(date: .now, uptime: .zero, boot: "boot") }
}
