import AirfieldTestSupport
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A disk that is full", .timeLimit(.minutes(10)))
struct FullDiskTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  @Test("is what an import says that it waits for, and it goes on once there is room")
  func imports() async throws {
    let path = try folder.path("airports.csv", Samples.file(rows: 2_000))
    // It begins, and its rows find no room.
    try await directory.leaveRoom(for: 12)
    let (reasons, told) = AsyncStream.makeStream(of: String?.self)
    let importer = AirportImporter(directory: directory, onWait: { told.yield($0) })
    async let summary = importer.run(path)
    try await makeRoom(afterOneOf: reasons)
    #expect(try await summary.counts.stored == 1_972)
  }

  @Test("is what an export says that it waits for, and it goes on once there is room")
  func exports() async throws {
    let some = (0..<150).map { Samples.airport("A\(100 + $0)", name: "Field \($0)") }
    _ = try await directory.store(some)
    try await directory.leaveRoom(for: 4)
    let target = try folder.path("out.csv")
    let request = ExportRequest(to: try ExportTarget(target), country: nil, pageSize: 1)
    let (reasons, told) = AsyncStream.makeStream(of: String?.self)
    let exporter = AirportExporter(directory: directory, onWait: { told.yield($0) })
    async let summary = exporter.run(request)
    try await makeRoom(afterOneOf: reasons)
    #expect(try await summary.rows == 150)
  }

  /// Two seconds may pass until it is told; on these clocks none ever does.
  @Test(
    "is told before any time has passed, by an import and an export", .timeLimit(.minutes(20)),
    arguments: [true, false])
  func soon(_ isImport: Bool) async throws {
    if !isImport {
      let some = (0..<150).map { Samples.airport("A\(100 + $0)", name: "Field \($0)") }
      _ = try await directory.store(some)
    }
    let path = try folder.path("airports.csv", Samples.file(rows: 2_000))
    let request = ExportRequest(
      to: try ExportTarget(try folder.path("out.csv")), country: nil, pageSize: 1)
    try await directory.leaveRoom(for: isImport ? 12 : 4)
    let time = ManualTime()
    let (reasons, told) = AsyncStream.makeStream(of: String?.self)
    let work = Task { [directory] in
      defer { told.finish() }
      if isImport {
        _ = try await AirportImporter(
          directory: directory, journal: directory.journal, time: time.source,
          onWait: { told.yield($0) }
        ).run(path)
      } else {
        _ = try await AirportExporter(
          directory: directory, journal: directory.journal, time: time.source,
          onWait: { told.yield($0) }
        ).run(request)
      }
    }
    let first = await reasons.first { _ in true }
    #expect(first??.contains("full") == true)
    #expect(time.uptime == .zero)
    try await directory.leaveRoom(for: nil)
    await Self.stop(work, time)
  }

  @Test("is told on the page before any time has passed", .timeLimit(.minutes(20)))
  func soonOnPage() async throws {
    let time = ManualTime()
    let imports = try DirectoryImports(
      directory: directory, options: DurableRunnerOptions(shutdownGrace: .zero),
      time: time.source)
    let file = try imports.folder.begin(name: "airports.csv")
    try await file.write(Array(Samples.file(rows: 2_000).utf8))
    try await imports.begin(try await file.finish())
    try await directory.leaveRoom(for: 12)
    let changes = imports.changes()
    let work = Task { try await imports.run() }
    for await _ in changes where try await imports.status()?.wait != nil { break }
    #expect(try await imports.status()?.wait?.contains("full") == true)
    #expect(time.uptime == .zero)
    try await directory.leaveRoom(for: nil)
    await Self.stop(work, time)
  }

  /// Stops work that waits on a clock for its next try.
  private static func stop(_ work: Task<Void, any Error>, _ time: ManualTime) async {
    work.cancel()
    let clock = Task {
      while !Task.isCancelled {
        time.advance(by: .milliseconds(10))
        await Task.yield()
      }
    }
    _ = await work.result
    clock.cancel()
  }

  /// Waits until the work says that the disk is full, and makes room.
  ///
  /// The work says it once, however often it tries, and then that it goes on.
  private func makeRoom(afterOneOf reasons: AsyncStream<String?>) async throws {
    var reason = reasons.makeAsyncIterator()
    let first = try #require(await reason.next())
    #expect(first?.contains("full") == true)
    try await directory.leaveRoom(for: nil)
    let second = try #require(await reason.next())
    #expect(second == nil)
  }
}
