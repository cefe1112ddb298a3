import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneSQLite
import Foundation
import GRDB
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An export whose process dies")
struct ExportCrashTests {
  /// The stages of 23 airports by fives: one to open the file, five pages, one to finish.
  static let checkpoints = 0..<7

  let place: ExportFolder

  init() async throws {
    place = try ExportFolder()
    try await place.store(23)
  }

  /// Exports until the process dies; what was told of the rows.
  @discardableResult
  private func crash(
    _ request: ExportRequest, at checkpoint: Int, _ moment: BreakingJournal.Moment,
    replacing replaces: Bool = true
  ) async throws -> [Int] {
    // Another process has the file open for itself.
    let directory = try AirportDirectory(path: place.directory.path)
    let journal = BreakingJournal(directory.journal, at: checkpoint, moment)
    let rows = Mutex<[Int]>([])
    let exporter = AirportExporter(directory: directory, journal: journal, replaces: replaces) {
      progress in
      rows.withLock { $0.append(progress.rows) }
    }
    await #expect(throws: (any Error).self) { try await exporter.run(request) }
    #expect(journal.isBroken)
    // The system does that for a process that is gone.
    try await directory.journal.close()
    return rows.withLock { $0 }
  }

  /// Exports to the end; what was told of the rows.
  @discardableResult
  private func goOn(_ request: ExportRequest) async throws -> [Int] {
    let rows = Mutex<[Int]>([])
    let exporter = AirportExporter(directory: place.directory) { progress in
      rows.withLock { $0.append(progress.rows) }
    }
    _ = try await exporter.run(request)
    return rows.withLock { $0 }
  }

  private func unfinished() throws -> String {
    try #require(try place.files.first { $0.hasPrefix(".airports.csv.") })
  }

  @Test(
    "at any checkpoint, goes on from there to the same bytes", arguments: checkpoints,
    BreakingJournal.Moment.allCases)
  func goesOn(_ checkpoint: Int, _ moment: BreakingJournal.Moment) async throws {
    let before = try await crash(try place.request(), at: checkpoint, moment)
    let isOver = checkpoint == Self.checkpoints.upperBound - 1 && moment == .afterCommit
    let after = try await goOn(try place.request())
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    #expect(try place.files == ["airports.csv"])
    guard !isOver else { return }
    // It begins where it had been: what was done twice is the stage of the checkpoint.
    let steps = [0, 5, 10, 15, 20, 23]
    let isDoneAgain = moment == .beforeCommit && checkpoint > 0
    #expect(before == Array(steps.prefix(checkpoint)))
    #expect(after == Array(steps.dropFirst(isDoneAgain ? checkpoint - 1 : checkpoint)))
  }

  @Test("again and again, comes to the same bytes", arguments: BreakingJournal.Moment.allCases)
  func againAndAgain(_ moment: BreakingJournal.Moment) async throws {
    // Before its commit a checkpoint is one to be made again, so that the second one is the next.
    for _ in 0..<(Self.checkpoints.count - 1) {
      try await crash(try place.request(), at: moment == .beforeCommit ? 1 : 0, moment)
    }
    try await goOn(try place.request())
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("in the middle of a page, leaves nothing of it", arguments: [1, 5, 6])
  func halfPage(_ checkpoint: Int) async throws {
    try await crash(try place.request(), at: checkpoint, .beforeCommit)
    if checkpoint < 6 {
      let file = try FileHandle(forWritingTo: URL(filePath: try place.path(try unfinished())))
      try file.seekToEnd()
      try file.write(contentsOf: Data(String(repeating: "half a row", count: 100).utf8))
      try file.close()
    }
    try await goOn(try place.request())
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("skips and repeats no airport that is edited before it goes on")
  func edits() async throws {
    try await crash(try place.request(), at: 2, .afterCommit)
    // Two pages are out, 0 to 9. Names and codes that would stand before them or behind them all:
    let directory = place.directory
    for (number, code, name) in [(3, "BI13", "zzz"), (12, "BI22", "aaa"), (13, "AAAA", "bbb")] {
      let before = try #require(try await directory.record(icao: ExportFolder.airport(number).icao))
      var airport = before.airport
      airport.icao = code
      airport.name = name
      _ = try await directory.save(
        airport, replacing: before.airport.icao, basedOn: before.revision)
    }
    // One goes to another country, and one comes after the export has begun.
    let before = try #require(try await directory.record(icao: ExportFolder.airport(14).icao))
    var gone = before.airport
    gone.country = "NO"
    _ = try await directory.save(gone, replacing: gone.icao, basedOn: before.revision)
    _ = try await directory.store([Samples.airport("NEWA", name: "New")])

    try await goOn(try place.request())
    let rows = try place.text("airports.csv").split(separator: "\r\n").dropFirst()
    let codes = rows.map { String($0.prefix(4)) }
    var expected = (0..<23).map { ExportFolder.airport($0).icao }
    expected[13] = "AAAA"
    expected.remove(at: 14)
    #expect(codes == expected)
    #expect(rows.contains { $0.hasPrefix("BI22,A22,aaa,") })
  }

  @Test("begins anew where what it had written is gone", arguments: [1, 3, 5])
  func removed(_ checkpoint: Int) async throws {
    try await crash(try place.request(), at: checkpoint, .afterCommit)
    try FileManager.default.removeItem(atPath: try place.path(try unfinished()))
    #expect(try await goOn(try place.request()).contains(0))
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    #expect(try place.files == ["airports.csv"])
  }

  @Test("begins anew where another file has taken its place, or it was cut short")
  func changed() async throws {
    for isReplaced in [true, false] {
      try await crash(try place.request(), at: 3, .afterCommit)
      let path = URL(filePath: try place.path(try unfinished()))
      if isReplaced {
        let other = URL(filePath: try place.path("other"))
        try Data(repeating: 65, count: 10_000).write(to: other)
        #expect(rename(other.path, path.path) == 0)
      } else {
        let file = try FileHandle(forWritingTo: path)
        try file.truncate(atOffset: 100)
        try file.close()
      }
      try await goOn(try place.request())
      #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    }
  }

  @Test("is left alone by an export to another file, and goes on after it")
  func setAside() async throws {
    try await crash(try place.request(), at: 3, .afterCommit)
    let partial = try unfinished()
    #expect(try await goOn(try place.request("other.csv")) == [0, 5, 10, 15, 20, 23])
    #expect(try place.files == [partial, "other.csv"])
    #expect(try await goOn(try place.request()) == [15, 20, 23])
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("goes on where another process sets it aside before it has begun")
  func setAsideMeanwhile() async throws {
    try await crash(try place.request(), at: 3, .afterCommit)
    let (directory, other) = (place.directory, try place.request("other.csv"))
    let journal = BreakingJournal(directory.journal) {
      _ = try? await AirportExporter(directory: directory).run(other)
    }
    let exporter = AirportExporter(directory: directory, journal: journal)
    #expect(try await exporter.run(try place.request()).rows == 23)
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    #expect(try place.files == ["airports.csv", "other.csv"])
  }

  @Test("leaves nothing behind where another export has the same file")
  func sameFile() async throws {
    try await crash(try place.request(), at: 3, .afterCommit)
    try await goOn(try place.request(country: "NO"))
    #expect(try place.files == ["airports.csv"])
    // The first one begins anew, and replaces that.
    try await goOn(try place.request())
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("while its file gets its name, goes on and leaves no second one")
  func bothNames() async throws {
    try await crash(try place.request(), at: 6, .beforeCommit, replacing: false)
    let runs = try await place.directory.journal.runs(RunQuery(flow: AirportExport.flowName)).runs
    let part = ".airports.csv.\(try #require(runs.first).id).part"
    #expect(link(try place.path("airports.csv"), try place.path(part)) == 0)
    let exporter = AirportExporter(directory: place.directory, replaces: false)
    #expect(try await exporter.run(try place.request()).rows == 23)
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
    #expect(try place.files == ["airports.csv"])
  }

  @Test("is told from one that failed, which goes on once its cause is mended")
  func failed() async throws {
    try await crash(try place.request(), at: 5, .afterCommit)
    let target = try place.path("airports.csv")
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    let exporter = AirportExporter(directory: place.directory)
    let request = try place.request()
    let error = await #expect(throws: (any Error).self) { try await exporter.run(request) }
    #expect("\(try #require(error))".contains("cannot write \(target)"))
    try FileManager.default.removeItem(atPath: target)
    #expect(try await goOn(request) == [23])
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("is not written by two at once")
  func locked() async throws {
    try await crash(try place.request(), at: 3, .afterCommit)
    let descriptor = open(try place.path(try unfinished()), O_RDWR)
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let exporter = AirportExporter(directory: place.directory)
    let request = try place.request()
    let error = await #expect(throws: (any Error).self) { try await exporter.run(request) }
    #expect("\(try #require(error))".contains("another process is writing"))
    close(descriptor)
    #expect(try await goOn(request) == [15, 20, 23])
    #expect(try place.text("airports.csv") == ExportFolder.csv(0..<23))
  }

  @Test("leaves stages that are small")
  func small() async throws {
    try await goOn(try place.request())
    try await DatabaseQueue(path: place.directory.path).read { db in
      let longest = try Int.fetchOne(db, sql: "SELECT max(length(payload)) FROM fieldstone_step")
      #expect(try #require(longest) < 2 * 1024)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM fieldstone_step") == 7)
    }
  }
}
