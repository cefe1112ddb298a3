import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneDurableTesting
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A trial of the nightly export", .timeLimit(.minutes(10)))
struct NightlyTrialTests {
  @Test(
    "killed at any checkpoint it leaves the same files: its own, and the newest of those before")
  func kills() async throws {
    let report = try await trial(kept: 2).run()
    #expect(report.endsAlike, "\(report)")
    #expect(
      report.path.map(\.name) == ["begin"] + Array(repeating: "export", count: 5) + ["tidy"])
    #expect(report.checkpoints == 7 && report.kills.count == 14)
    for kill in report.kills {
      let again = kill.moment == .beforeCheckpoint ? [kill.stage.description] : []
      #expect(kill.repeated.map(\.description) == again, "\(kill)")
    }
    let old = "airports-20200102T000000Z.csv"
    #expect(report.effects == "\([[ExportFolder.csv(0..<12), "old"], [old, "notes.txt"]])")
  }

  /// A trial into a folder with exports of earlier nights, and something that is none.
  private func trial(kept: Int) throws -> FlowTrial<ExportFolder> {
    let folder = try TemporaryFolder()
    let plan = try NightlyPlan(folder: folder.url.path, keeping: kept)
    return FlowTrial(
      NightlyExport.begin(plan),
      world: { _ in
        for name in try Self.names(in: folder) {
          try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
        for day in 1...2 { _ = try folder.path("airports-2020010\(day)T000000Z.csv", "old") }
        _ = try folder.path("notes.txt", "mine")
        let place = try ExportFolder()
        _ = try await place.directory.store((0..<12).map(ExportFolder.airport))
        return place
      },
      flows: { place in
        let services = ExportServices(directory: place.directory, wanted: nil, pageSize: 5)
        return [DurableFlow(NightlyExport.self, services: services)]
      }
    )
    .comparing { _ in
      // The name of the new file says when it was begun, which a kill may put off.
      let names = try Self.names(in: folder)
      let exports = names.filter { $0.hasPrefix("airports-") }.reversed()
      return [
        try exports.map { try String(contentsOf: folder.url.appending(path: $0), encoding: .utf8) },
        Array(exports.dropFirst()) + names.filter { !$0.hasPrefix("airports-") },
      ]
    }
  }

  private static func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }
}
