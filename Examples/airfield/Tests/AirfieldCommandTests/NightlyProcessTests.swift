import Foundation
import Testing

// Of the same suite, so that programs run one after the other: waiting for them takes up a thread.
extension ProcessTests {
  private func serve(_ options: String...) throws -> (RunningProgram, ServedPages) {
    let server = try RunningProgram(["serve", "--database", database, "--port", "0"] + options)
    try server.waitForOutput("(Ctrl-C stops it)")
    return (server, try ServedPages(server.outputSoFar))
  }

  @Test("makes exports into the folder of the nightly export, and knows it at its next start")
  func servesNightlyExport() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let target = folder.appending(path: "exports")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    var (server, pages) = try serve(
      "--nightly-export", target.path, "--at", "2:30", "--zone", "Europe/Berlin", "--keep", "1")
    #expect(try await pages.get("/exports").contains("Every night at 02:30"))
    #expect(try await pages.press("run", at: "/exports").hasPrefix("HTTP/1.1 303 "))
    try await pages.waitForText("3 airports<", view: "exports")
    let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
    let name = try #require(names.first)
    #expect(names.count == 1)
    let text = try String(contentsOf: target.appending(path: name), encoding: .utf8)
    #expect(text.split(separator: "\r\n").count == 4)
    server.interrupt()
    #expect(server.end().status == 0)

    (server, pages) = try serve()
    let page = try await pages.get("/exports")
    #expect(page.contains("Every night at 02:30") && page.contains(name))
    server.interrupt()
    #expect(server.end().status == 0)

    (server, pages) = try serve("--no-nightly-export")
    #expect(try await pages.get("/exports").contains("No nightly export is set up"))
    server.interrupt()
    #expect(server.end().status == 0)
  }

  @Test(
    "refuses a nightly export that can't be",
    arguments: [
      (["--nightly-export", "/no/such/folder"], 2, "there is no folder"),
      (["--nightly-export", "/", "--at", "25:00"], 2, "no time of the day"),
      (["--nightly-export", "/", "--zone", "Mars"], 2, "no time zone"),
      (["--nightly-export", "/", "--keep", "0"], 2, "give a number from 1"),
      (["--at", "2:30"], 64, "give --nightly-export, too"),
      (["--nightly-export", "/", "--no-nightly-export"], 64, "Give either"),
      (["--nightly-export", "/", "--read-only"], 1, "Leave --read-only out"),
    ])
  func refusesNightlyExport(options: [String], status: Int32, message: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try run("import", three, "--database", database)
    let ended = try RunningProgram(
      ["serve", "--database", database, "--port", "0"] + options
    ).end()
    #expect(ended.status == status)
    #expect(ended.errors.contains(message), "\(ended.errors)")
  }
}
