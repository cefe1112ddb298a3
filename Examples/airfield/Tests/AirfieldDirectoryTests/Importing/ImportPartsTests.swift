import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An import in parts", .timeLimit(.minutes(10)))
struct ImportPartsTests {
  /// The checkpoints of four batches in parts: one to cut the file, four batches, one to finish.
  static let checkpoints = 0..<6

  let folder: TemporaryFolder
  let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.path("file.csv", ImportCrashTests.text)
  }

  func directory(_ name: String = "airports") throws -> AirportDirectory {
    try AirportDirectory(path: try folder.path(name + ".sqlite"))
  }

  func importer(
    _ directory: AirportDirectory, _ batchesPerPart: Int = 1, journal: (any Journal)? = nil,
    isElsewhere: Bool = false,
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) -> AirportImporter {
    AirportImporter(
      directory: directory, journal: journal, isElsewhere: isElsewhere,
      batchesPerPart: batchesPerPart, progress: progress)
  }

  /// All that an import leaves.
  struct Result: Equatable {
    let counts: ImportCounts
    let airports: [Row]
    let rejects: String?

    init(_ counts: ImportCounts, _ directory: AirportDirectory) throws {
      self.counts = counts
      airports = try DatabaseQueue(path: directory.path).read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM airport ORDER BY id")
      }
      rejects = try? String(contentsOfFile: directory.path + ".rejects.csv", encoding: .utf8)
    }
  }

  /// The same file imported as one.
  func undivided() async throws -> Result {
    let directory = try directory("undivided")
    return try Result(try await importer(directory, 100).run(file).counts, directory)
  }

  /// How the runs of a flow stand, in the order of starting.
  private func runs(
    _ directory: AirportDirectory, flow: String = "airfield.import.part"
  ) async throws -> [RunRecord] {
    try await directory.journal.runs(RunQuery(flow: flow, limit: 1_000)).runs
      .sorted { $0.changedAt < $1.changedAt }
  }

  private func left(_ directory: AirportDirectory) throws -> [Int] {
    try DatabaseQueue(path: directory.path).read { db in
      try Int.fetchAll(
        db, sql: "SELECT count(*) FROM importSeen UNION ALL SELECT count(*) FROM importReject")
    }
  }

  /// Imports until the process dies; the fractions that were told.
  @discardableResult
  private func crash(
    _ directory: AirportDirectory, _ batchesPerPart: Int, at checkpoint: Int,
    _ moment: BreakingJournal.Moment
  ) async throws -> [Double] {
    // Another process has the file open for itself.
    let directory = try AirportDirectory(path: directory.path)
    let journal = BreakingJournal(directory.journal, at: checkpoint, moment)
    let fractions = Mutex<[Double]>([])
    let importer = importer(directory, batchesPerPart, journal: journal) { progress in
      fractions.withLock { $0.append(progress.fraction) }
    }
    await #expect(throws: (any Error).self) { try await importer.run(file) }
    #expect(journal.isBroken)
    // The system does that for a process that is gone.
    try await directory.journal.close()
    return fractions.withLock { $0 }
  }

  @Test("comes to the same as one import, each part a run", arguments: [(1, 4), (2, 2), (3, 2)])
  func parts(_ batchesPerPart: Int, _ count: Int) async throws {
    let expected = try await undivided()
    let directory = try directory()
    let fractions = Mutex<[Double]>([])
    let counts = try await importer(directory, batchesPerPart) { progress in
      fractions.withLock { $0.append(progress.fraction) }
    }.run(file).counts
    #expect(try Result(counts, directory) == expected)
    let seen = fractions.withLock { $0 }
    #expect(seen == seen.sorted())
    #expect(seen.count == 5 && seen.first == 0 && seen.last == 1)
    let parts = try await runs(directory)
    #expect(parts.count == count)
    #expect(
      parts.allSatisfy { $0.state == .completed && $0.payload == Data(#"{"imported":{}}"#.utf8) })
    #expect(try left(directory) == [0, 0])
  }

  @Test("is none where the file has but one part: it has no children, and no place")
  func onePart() async throws {
    let directory = try directory()
    _ = try await importer(directory, 4).run(file)
    #expect(try await runs(directory).isEmpty)
    let counts = try await DatabaseQueue(path: directory.path).read { db in
      try Int.fetchAll(
        db,
        sql: """
          SELECT count(*) FROM fieldstone_step
          UNION ALL SELECT count(*) FROM importRun WHERE place IS NOT NULL
          """)
    }
    #expect(counts == [6, 0])
  }

  @Test(
    "whose process dies at any checkpoint goes on from there to the same end",
    arguments: checkpoints,
    BreakingJournal.Moment.allCases)
  func goesOn(_ checkpoint: Int, _ moment: BreakingJournal.Moment) async throws {
    let expected = try await undivided()
    for batchesPerPart in [1, 2] {
      let directory = try directory("airports-\(batchesPerPart)")
      let before = try await crash(directory, batchesPerPart, at: checkpoint, moment)
      let after = Mutex<[Double]>([])
      let counts = try await importer(directory, batchesPerPart) { progress in
        after.withLock { $0.append(progress.fraction) }
      }.run(file).counts
      if checkpoint == Self.checkpoints.upperBound - 1, moment == .afterCommit {
        // It was over: this is another import.
        #expect(counts.unchanged == expected.counts.stored)
        continue
      }
      #expect(try Result(counts, directory) == expected)
      #expect(try await runs(directory).count == 4 / batchesPerPart)
      let fractions = before + after.withLock { $0 }
      #expect(fractions == fractions.sorted())
      let isDoneAgain = moment == .beforeCommit && checkpoint > 0
      #expect(Set(fractions).count == fractions.count - (isDoneAgain ? 1 : 0))
      #expect(fractions.last == 1)
    }
  }

  @Test("whose processes die again and again", arguments: BreakingJournal.Moment.allCases)
  func againAndAgain(_ moment: BreakingJournal.Moment) async throws {
    let expected = try await undivided()
    let directory = try directory()
    for _ in 0..<(Self.checkpoints.count - 1) {
      try await crash(directory, 2, at: moment == .beforeCommit ? 1 : 0, moment)
    }
    let counts = try await importer(directory, 2).run(file).counts
    #expect(try Result(counts, directory) == expected)
  }

  @Test("stopped in the middle of a part keeps what it stored, and goes on from there")
  func stopped() async throws {
    let expected = try await undivided()
    let directory = try directory()
    let seen = Mutex<[ImportProgress]>([])
    let task = Mutex<Task<ImportSummary, any Error>?>(nil)
    let importer = importer(directory, 2) { progress in
      // The fourth is that of the last batch, the second one of its part, before it is read.
      let count = seen.withLock {
        $0.append(progress)
        return $0.count
      }
      if count == 4 { task.withLock { $0 }?.cancel() }
    }
    let file = file
    task.withLock { $0 = Task { try await importer.run(file) } }
    let result = await task.withLock { $0 }?.result
    #expect(throws: CancellationError.self) { try result?.get() }
    let stopped = try #require(seen.withLock { $0.last })
    #expect(stopped.fraction > 0.5 && stopped.fraction < 1)
    #expect(try await directory.count() == stopped.counts.stored)

    let counts = try await importer.run(file).counts
    #expect(seen.withLock { $0[5] } == stopped)
    #expect(try Result(counts, directory) == expected)
    #expect(try await runs(directory).count == 2)
  }

  @Test("a part of which fails ends with its error, and goes on once its cause is mended")
  func failed() async throws {
    let expected = try await undivided()
    let directory = try directory()
    // In the third batch, and no repeated code.
    let row = ImportCrashTests.text.split(separator: "\r\n")[1_302]
    try await directory.tamper(
      """
      CREATE TRIGGER refusal BEFORE INSERT ON airport WHEN new.icao = '\(row.prefix(4))' BEGIN
      SELECT RAISE(ABORT, 'no such airports here'); END
      """)
    let importer = importer(directory, 1)
    var counts = ImportCounts()
    // Not mended it fails again, in other parts.
    for round in 1...2 {
      let error = await #expect(throws: MessageError.self) { try await importer.run(file) }
      #expect(error?.message.contains("no such airports here") == true)
      #expect(error?.message.contains("asked for again goes on from here") == true)
      let states = try await runs(directory).map(\.state)
      #expect(states.count { $0 == .dead } == round)
      #expect(states.count { $0 == .completed } == 2)
      let stored = try await directory.count()
      #expect(stored > 0 && stored < 1_300)
    }
    try await directory.tamper("DROP TRIGGER refusal")
    counts = try await importer.run(file).counts
    #expect(try Result(counts, directory) == expected)
    #expect(try left(directory) == [0, 0])
  }

  @Test("a part of which a person has cancelled says so, and goes on when it is asked for again")
  func partCancelled() async throws {
    let expected = try await undivided()
    let directory = try directory()
    try await crash(directory, 1, at: 2, .afterCommit)
    let waiting = try #require(try await runs(directory).first { $0.state == .ready })
    let time = JournalTime(date: .now, uptime: .zero, boot: "test")
    try await directory.journal.change(waiting.id, .cancel, at: time)
    let importer = importer(directory, 1)
    let error = await #expect(throws: MessageError.self) { try await importer.run(file) }
    #expect(error?.message.contains("was cancelled") == true)
    let counts = try await importer.run(file).counts
    #expect(try Result(counts, directory) == expected)
  }

  @Test("by two processes at once is one import, whose parts run in their order")
  func twoProcesses() async throws {
    let expected = try await undivided()
    let directory = try directory()
    let other = try AirportDirectory(path: directory.path)
    async let first = importer(directory, 1).run(file)
    async let second = importer(other, 1).run(file)
    let counts = try await [first.counts, second.counts]
    #expect(counts == [expected.counts, expected.counts])
    #expect(try Result(counts[0], directory) == expected)
    let parts = try await runs(directory)
    // None had to be passed over as a part before it was not over.
    #expect(parts.count == 4)
    #expect(parts.allSatisfy { $0.payload == Data(#"{"imported":{}}"#.utf8) })
    try await other.journal.close()
  }

  @Test("that was stopped is given up for another file; one that somebody waits for is not")
  func anotherFile() async throws {
    let expected = try await undivided()
    let directory = try directory()
    try await crash(directory, 2, at: 2, .afterCommit)
    let row = "BIRK,,Field,,,IS,,1,1,UTC,\r\n"
    let one = try folder.path("one.csv", Samples.header + row)
    // As the process that imports it holds it.
    let descriptor = open(file, O_RDONLY)
    #expect(flock(descriptor, LOCK_SH) == 0)
    #expect(try await importer(directory, 2).run(one).counts.stored == 1)
    let imports = try await runs(directory, flow: AirportImport.flowName)
    #expect(imports.count { $0.state == .ready } == 1)
    close(descriptor)
    var counts = try await importer(directory, 2).run(one).counts
    #expect(counts.unchanged == 1)
    #expect(try left(directory) == [0, 0])
    let stored = try await directory.count() - 1
    counts = try await importer(directory, 2).run(file).counts
    #expect(counts.unchanged == stored)
    #expect(counts.stored == expected.counts.stored - stored)
    #expect(counts.rejected == expected.counts.rejected)
  }

  @Test(
    "goes on with an import that the first version began, in parts or not", arguments: [0, 1, 3])
  func firstVersion(_ checkpoint: Int) async throws {
    let expected = try await undivided()
    let directory = try directory()
    try await crash(directory, checkpoint == 0 ? 1 : 100, at: checkpoint, .beforeCommit)
    try await directory.tamper(
      "UPDATE fieldstone_run SET version = 1, key = '1' || substr(key, 2)")
    let counts = try await importer(directory, 1).run(file).counts
    #expect(try Result(counts, directory) == expected)
    #expect(try await runs(directory, flow: AirportImport.flowName).count == 1)
    #expect(try await runs(directory).count == (checkpoint == 0 ? 4 : 0))
  }

  @Test("leaves an import alone that a newer version began, and begins its own")
  func newerVersion() async throws {
    let expected = try await undivided()
    let directory = try directory()
    try await crash(directory, 1, at: 0, .beforeCommit)
    let newer = AirportImport.flowVersion + 1
    try await directory.tamper(
      "UPDATE fieldstone_run SET version = \(newer), key = '\(newer)' || substr(key, 2)")
    let counts = try await importer(directory, 1).run(file).counts
    #expect(try Result(counts, directory) == expected)
    let all = try await runs(directory, flow: AirportImport.flowName)
    #expect(Set(all.map(\.version)) == [AirportImport.flowVersion, newer])
    #expect(all.first { $0.version == newer }?.state != .completed)
  }

  @Test("goes on where it was when another import has ended meanwhile", arguments: [1, 100])
  func amongOthers(_ batchesPerPart: Int) async throws {
    let expected = try await undivided()
    let directory = try directory()
    try await crash(directory, batchesPerPart, at: 2, .afterCommit)
    try await directory.tamper(
      "INSERT INTO importRun (run, path, isOver) VALUES ('other', '/uploads/other.csv', 1)")
    let counts = try await importer(directory, batchesPerPart).run(file).counts
    #expect(try Result(counts, directory) == expected)
    #expect(try await runs(directory, flow: AirportImport.flowName).count == 1)
    // What is over is another import.
    #expect(try await importer(directory, batchesPerPart).run(file).counts.stored == 0)
    #expect(try await runs(directory, flow: AirportImport.flowName).count == 2)
  }

  @Test("waits while the disk is full, and goes on once there is room", arguments: [false, true])
  func fullDisk(_ isElsewhere: Bool) async throws {
    let directory = try directory()
    let journal: any Journal = isElsewhere ? try elsewhere() : directory.journal
    try await directory.leaveRoom(for: 30)
    let (reasons, told) = AsyncStream.makeStream(of: String?.self)
    let importer = AirportImporter(
      directory: directory, journal: journal, isElsewhere: isElsewhere, batchesPerPart: 1,
      onWait: { told.yield($0) })
    async let summary = importer.run(file)
    var reason = reasons.makeAsyncIterator()
    #expect(try #require(await reason.next())?.contains("full") == true)
    try await directory.leaveRoom(for: nil)
    #expect(try #require(await reason.next()) == nil)
    let expected = try await undivided()
    #expect(try Result(try await summary.counts, directory) == expected)
  }
}
