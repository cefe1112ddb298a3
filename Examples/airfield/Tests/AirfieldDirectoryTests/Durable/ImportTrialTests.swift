import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("A trial of the import", .timeLimit(.minutes(10)))
struct ImportTrialTests {
  let folder: TemporaryFolder
  let source: ImportSource

  init() throws {
    folder = try TemporaryFolder()
    source = try ImportSource(path: try folder.path("file.csv", ImportCrashTests.text))
  }

  /// The directory that a run imports into, each time another, with a connection of the trial's.
  ///
  /// The journal of a trial is in memory, so nobody else writes. It writes on the trial's own thread: a
  /// trial waits for work that is elsewhere, and not for a transaction that is.
  private struct World: Sendable {
    let directory: AirportDirectory
    private let writer: DatabaseQueue

    init(_ folder: TemporaryFolder) throws {
      let path = try folder.path("\(UUID()).sqlite")
      directory = try AirportDirectory(path: path)
      writer = try DatabaseQueue(path: path)
    }

    func write(_ body: (Any) throws -> Void) throws {
      try writer.write { try body($0) }
    }
  }

  /// What a run leaves behind.
  private struct Left: Equatable, CustomStringConvertible {
    let airports: [Airport]
    let rejects: String

    init(_ directory: AirportDirectory) async throws {
      airports = try await directory.results(of: AirportQuery(), limit: 100_000).airports
      let path = directory.path + ".rejects.csv"
      rejects = try String(contentsOfFile: path, encoding: .utf8)
    }

    var description: String {
      "\(airports.count) airports, \(rejects.split(separator: "\r\n").count - 1) rejects"
    }
  }

  private func trial(
    batchesPerPart: Int, isElsewhere: Bool = false
  ) async throws -> FlowTrialReport {
    let (folder, source) = (folder, source)
    let trial = FlowTrial(AirportImport.open(source), world: { _ in try World(folder) }) { world in
      ImportServices(
        directory: world.directory, isElsewhere: isElsewhere, batchesPerPart: batchesPerPart
      ) { $0 == source }.flows
    }
    return
      try await trial
      .writing { world, write in try world.write(write) }
      .comparing { try await Left($0.directory) }
      .run()
  }

  @Test("as one: killed at any checkpoint it ends alike, and only the stage of the kill runs again")
  func whole() async throws {
    let report = try await trial(batchesPerPart: 100)
    let summary = try report.outcome.value(as: ImportEnd.self)
    guard case .imported(let summary) = summary else {
      Issue.record("\(report)")
      return
    }
    #expect(summary.counts.read == 2_000 && summary.counts.rejected == 62)
    #expect(report.path.map(\.name) == ["open", "chunk", "chunk", "chunk", "chunk", "finish"])
    expectOneStageAgain(report)
  }

  @Test(
    "in parts: killed at any checkpoint it ends alike, and only the stage of the kill runs again")
  func parts() async throws {
    let whole = try await trial(batchesPerPart: 100)
    let report = try await trial(batchesPerPart: 2)
    #expect(report.outcome == whole.outcome)
    #expect(report.effects == whole.effects)
    #expect(
      report.path.map { "\($0)" } == [
        "airfield.import 0 open", "airfield.import.part [0.0] 0 chunk",
        "airfield.import.part [0.0] 1 chunk", "airfield.import.part [0.1] 0 chunk",
        "airfield.import.part [0.1] 1 chunk", "airfield.import 1 parts",
      ])
    expectOneStageAgain(report)
  }

  @Test(
    "with its journal elsewhere: killed between storing rows and the checkpoint it ends alike",
    arguments: [2, 100])
  func elsewhere(_ batchesPerPart: Int) async throws {
    let whole = try await trial(batchesPerPart: 100)
    let report = try await trial(batchesPerPart: batchesPerPart, isElsewhere: true)
    #expect(report.outcome == whole.outcome)
    #expect(report.effects == whole.effects)
    #expect(report.endsAlike, "\(report)")
    #expect(report.checkpoints == 6 && report.kills.count == 12)
  }

  /// A kill before a checkpoint lets its stage run again, and one after it none.
  private func expectOneStageAgain(_ report: FlowTrialReport) {
    #expect(report.endsAlike, "\(report)")
    #expect(report.checkpoints == 6 && report.kills.count == 12)
    for kill in report.kills {
      let again = kill.moment == .beforeCheckpoint ? [kill.stage.description] : []
      #expect(kill.repeated.map(\.description) == again, "\(kill)")
      #expect(kill.path.map(\.description) == report.path.map(\.description), "\(kill)")
    }
  }
}
