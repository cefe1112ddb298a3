import AirfieldTestSupport
import Fieldstone
import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An import whose process dies")
struct ImportCrashTests {
  /// Four batches, with faulty rows and repeated codes, the latter also of rows of other batches.
  static let text: String = {
    let padding = String(repeating: "x", count: 180)
    return Samples.header
      + (0..<2_000).map { number in
        let code = number % 50 == 49 ? "A000" : "A" + String(number + 1_000, radix: 36).uppercased()
        let zone = number % 70 == 69 ? "Nowhere" : "UTC"
        return "\(code.padding(toLength: 4, withPad: "_", startingAt: 0)),,Field \(number),"
          + "\(padding),,IS,,1,2,\(zone),\r\n"
      }.joined()
  }()

  /// The stages of that file: one to open it, four batches, one to finish.
  static let checkpoints = 0..<6

  let folder: TemporaryFolder
  let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.path("file.csv", Self.text)
  }

  private func directory(_ name: String = "airports") throws -> AirportDirectory {
    try AirportDirectory(path: try folder.path(name + ".sqlite"))
  }

  /// All that an import leaves.
  private struct Result: Equatable {
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

  private func undisturbed() async throws -> Result {
    let directory = try directory("undisturbed")
    return try Result(try await AirportImporter(directory: directory).run(file).counts, directory)
  }

  /// Imports until the process dies; the fractions that were told.
  private func crash(
    _ directory: AirportDirectory, at checkpoint: Int, _ moment: BreakingJournal.Moment
  ) async throws -> [Double] {
    // Another process has the file open for itself.
    let directory = try AirportDirectory(path: directory.path)
    let journal = BreakingJournal(directory.journal, at: checkpoint, moment)
    let fractions = Mutex<[Double]>([])
    let importer = AirportImporter(directory: directory, journal: journal) { progress in
      fractions.withLock { $0.append(progress.fraction) }
    }
    await #expect(throws: (any Error).self) { try await importer.run(file) }
    #expect(journal.isBroken)
    // The system does that for a process that is gone.
    try await directory.journal.close()
    return fractions.withLock { $0 }
  }

  @Test(
    "at any checkpoint, goes on from there to the same end", arguments: checkpoints,
    BreakingJournal.Moment.allCases)
  func goesOn(_ checkpoint: Int, _ moment: BreakingJournal.Moment) async throws {
    let expected = try await undisturbed()
    #expect(expected.counts.read == 2_000)
    #expect(expected.counts.rejected == 62)
    let directory = try directory()
    let before = try await crash(directory, at: checkpoint, moment)

    let after = Mutex<[Double]>([])
    let importer = AirportImporter(directory: directory) { progress in
      after.withLock { $0.append(progress.fraction) }
    }
    let counts: ImportCounts
    if checkpoint == Self.checkpoints.upperBound - 1, moment == .afterCommit {
      // It was over: this is another import.
      counts = try await importer.run(file).counts
      #expect(counts.unchanged == expected.counts.stored)
      return
    }
    counts = try await importer.run(file).counts
    #expect(try Result(counts, directory) == expected)
    let fractions = before + after.withLock { $0 }
    #expect(fractions == fractions.sorted())
    let isDoneAgain = moment == .beforeCommit && checkpoint > 0
    #expect(Set(fractions).count == fractions.count - (isDoneAgain ? 1 : 0))
    #expect(fractions.last == 1)
  }

  @Test("again and again, comes to the same end", arguments: BreakingJournal.Moment.allCases)
  func againAndAgain(_ moment: BreakingJournal.Moment) async throws {
    let expected = try await undisturbed()
    let directory = try directory()
    // Before its commit a checkpoint is one to be made again, so that the second one is the next.
    for _ in 0..<(Self.checkpoints.count - 1) {
      _ = try await crash(directory, at: moment == .beforeCommit ? 1 : 0, moment)
    }
    let counts = try await AirportImporter(directory: directory).run(file).counts
    #expect(try Result(counts, directory) == expected)
  }

  @Test("leaves stages that are small, and no rows that only it needed")
  func small() async throws {
    let directory = try directory()
    _ = try await crash(directory, at: 3, .afterCommit)
    _ = try await AirportImporter(directory: directory).run(file)
    try await DatabaseQueue(path: directory.path).read { db in
      let longest = try Int.fetchOne(db, sql: "SELECT max(length(payload)) FROM fieldstone_step")
      #expect(try #require(longest) < 16 * 1024)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM fieldstone_step") == 6)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM importSeen") == 0)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM importReject") == 0)
    }
  }

  @Test("is given up when another file is imported, or the file was changed")
  func givenUp() async throws {
    let directory = try directory()
    _ = try await crash(directory, at: 2, .afterCommit)
    let stored = try await directory.count()
    let other = try folder.path("other.csv", Samples.header + "BIRK,,Field,,,IS,,1,1,UTC,\r\n")
    let counts = try await AirportImporter(directory: directory).run(other).counts
    #expect(counts.read == 1)
    #expect(counts.stored == 1)
    #expect(try await directory.count() == stored + 1)
    #expect(!FileManager.default.fileExists(atPath: directory.path + ".rejects.csv"))

    _ = try await crash(directory, at: 2, .afterCommit)
    _ = try folder.path("file.csv", Samples.header + "BIRK,,Other,,,IS,,1,1,UTC,\r\n")
    let changed = try await AirportImporter(directory: directory).run(file).counts
    #expect(changed.read == 1)
    #expect(changed.updated == 1)
    #expect(try await directory.count() == stored + 1)
  }

  @Test("is told from one that failed, which goes on once its cause is mended")
  func failed() async throws {
    let expected = try await undisturbed()
    let directory = try directory()
    let inTheWay = URL(filePath: directory.path + ".rejects.csv")
    try FileManager.default.createDirectory(
      at: inTheWay.appending(path: "full"), withIntermediateDirectories: true)
    let importer = AirportImporter(directory: directory)
    let error = await #expect(throws: MessageError.self) { try await importer.run(file) }
    #expect(error?.message.contains("cannot write \(inTheWay.path)") == true)
    try FileManager.default.removeItem(at: inTheWay)
    let counts = try await importer.run(file).counts
    #expect(try Result(counts, directory) == expected)
  }
}
