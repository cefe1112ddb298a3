import Foundation
import Testing

@testable import AirfieldApp

// Of the same suite, so that programs run one after the other.
extension ProcessTests {
  @Suite("The command fieldstone serve on the database of airfield", .serialized)
  @WaitingActor struct ServedJournalTests {
    let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(
        path: "airfield-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test("opens the journal of the bundled import: its overview, runs, stages and differences")
    func opens() async throws {
      defer { try? FileManager.default.removeItem(at: folder) }
      let database = folder.appending(path: "airports.sqlite").path
      let imported = try RunningProgram(
        ["import", try BundledAirports.path(), "--database", database]
      ).end()
      #expect(imported.status == 0, "\(imported.errors)")
      let program = try RunningProgram(
        ["serve", "--journal", database, "--port", "0", "--read-only"], of: "fieldstone")
      defer {
        // Not as Ctrl-C does: a program in the background of a script ignores that.
        program.terminate()
        _ = program.end()
      }
      try program.waitForOutput("\n")
      #expect(program.outputSoFar.hasPrefix("Serving \(database) at http://"))
      let pages = try await ServedPages(admittedBy: program.outputSoFar)

      let overview = try await page("/", of: pages)
      #expect(overview.contains(">airfield.import</a>"), "\(overview)")
      let runs = try await page("/runs?flow=airfield.import&state=completed", of: pages)
      let run = String(
        try #require(runs.firstMatch(of: #/href="(/runs/[0-9A-Z]+)"/#), "\(runs)").1)
      let detail = try await page(run, of: pages)
      for part in [
        "airfield.import", ">completed<", "<ins>", "<del>",
        URL(filePath: try BundledAirports.path()).lastPathComponent,
      ] {
        #expect(detail.contains(part), "\(part)")
      }
      let stages = detail.matches(of: #/"(/runs/[^"/]+/stages/\d+\.json)"/#).map { String($0.1) }
      #expect(stages.count > 1)
      for stage in stages {
        let answer = try await pages.get(stage)
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(stage)")
        let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(body.utf8)) }
      }
      let children = try await page(run + "/children", of: pages)
      #expect(children.contains("airfield.import.part"))
    }

    private func page(_ path: String, of pages: ServedPages) async throws -> String {
      let page = try await pages.get(path)
      #expect(page.hasPrefix("HTTP/1.1 200 "), "\(path)")
      return page
    }
  }
}
