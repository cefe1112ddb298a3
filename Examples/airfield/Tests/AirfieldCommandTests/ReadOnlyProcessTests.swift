import Foundation
import Testing

// Of the same suite, so that programs run one after the other: waiting for them takes up a thread.
extension ProcessTests {
  nonisolated private static let setpriv = "/usr/bin/setpriv"

  /// Whether programs can be run by somebody for whom file modes hold.
  nonisolated private static var hasNobody: Bool {
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)
  }

  @Test("serves a database to be read where it is told to")
  func servesToRead() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let server = try RunningProgram([
      "serve", "--database", database, "--read-only", "--port", "0",
    ])
    try server.waitForErrors("nothing in it can be changed")
    try server.waitForOutput("(Ctrl-C stops it)")
    let page = try await ServedPages(server.outputSoFar).get("/")
    #expect(page.contains("3 airports, by name"))
    #expect(page.contains("This database can’t be written"))
    server.interrupt()
    #expect(server.end().status == 0)
  }

  @Test(
    "exports a database that somebody may only read, and says that nothing can be imported",
    .enabled(if: hasNobody))
  func mayOnlyRead() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let target = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: target) }
    #expect(chmod(target.path, 0o777) == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(chmod(folder.path, 0o555) == 0)
    let file = target.appending(path: "all.csv").path
    func runAsNobody(_ arguments: String...) throws -> RunningProgram.Ended {
      try RunningProgram(
        arguments, by: [Self.setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
      ).end()
    }
    let exported = try runAsNobody("export", "--to", file, "--database", database)
    #expect(exported.output == "3 airports exported to \(file).\n")
    let refused = try runAsNobody("import", try three, "--database", database)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("can’t be written"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
  }
}
