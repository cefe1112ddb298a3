import AirfieldDirectory
import AirfieldTestSupport
import Foundation
import Testing

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
