import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import GRDB
import Testing

@testable import AirfieldApp

@Suite("A trial of the export", .timeLimit(.minutes(10)))
struct ExportTrialTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A trial whose runs have a directory of their own each, with twelve airports of the country.
  private func trial(
    _ request: ExportRequest, prepare: @escaping @Sendable () -> Void = {}
  ) -> FlowTrial<ExportFolder> {
    FlowTrial(
      AirportExport.open(request),
      world: { _ in
        prepare()
        let place = try ExportFolder()
        try await place.store(12)
        return place
      },
      flows: { place in
        let services = ExportServices(directory: place.directory, wanted: request)
        return [DurableFlow(AirportExport.self, services: services)]
      }
    )
    .writing { place, write in try Self.write(write, to: place.directory.path) }
  }

  /// Writes on the trial's own thread, as a trial does not wait for a transaction that is elsewhere.
  ///
  /// Nobody else writes: the journal of a trial is in memory.
  private static func write(_ body: (Any) throws -> Void, to path: String) throws {
    try DatabaseQueue(path: path).write { try body($0) }
  }

  /// A kill before a checkpoint lets its stage run again, and one after it none.
  private func expectOneStageAgain(_ report: FlowTrialReport) {
    #expect(report.path.map(\.name) == ["open", "page", "page", "page", "finish"])
    #expect(report.checkpoints == 5 && report.kills.count == 10)
    for kill in report.kills {
      let again = kill.moment == .beforeCheckpoint ? [kill.stage.description] : []
      #expect(kill.repeated.map(\.description) == again, "\(kill)")
      #expect(kill.path.map(\.description) == report.path.map(\.description), "\(kill)")
    }
  }

  @Test("into a file: killed at any checkpoint it comes to the same bytes, and leaves nothing else")
  func file() async throws {
    let path = try folder.path("airports.csv")
    let target = URL(filePath: path).deletingLastPathComponent().path
    let request = ExportRequest(to: try ExportTarget(path), country: "IS", pageSize: 5)
    let report = try await trial(request) { try? FileManager.default.removeItem(atPath: path) }
      .comparing { _ in
        [try String(contentsOfFile: path, encoding: .utf8)]
          + (try FileManager.default.contentsOfDirectory(atPath: target))
      }
      .run()
    #expect(report.effects == "\([ExportFolder.csv(0..<12), "airports.csv"])")
    #expect(report.endsAlike, "\(report)")
    expectOneStageAgain(report)
  }

  @Test("to a server: killed at any checkpoint it posts a page again under the same key only")
  func address() async throws {
    let receiver = try PageReceiver()
    let request = ExportRequest(
      to: try ExportTarget(receiver.address()), country: "IS", pageSize: 5)
    let report = try await trial(request).run()
    #expect(report.endsAlike, "\(report)")
    expectOneStageAgain(report)
    // What a receiver that remembers keys counts is the same in all runs.
    let pages = receiver.accepted
    #expect(Set(pages.compactMap(\.key)).count == 3)
    for key in Set(pages.compactMap(\.key)) {
      #expect(Set(pages.filter { $0.key == key }.map(\.body)).count == 1)
    }
    // Three pages of 11 runs, and one again for each of the three kills before a page's checkpoint.
    #expect(pages.count == 3 * 11 + 3)
  }
}
