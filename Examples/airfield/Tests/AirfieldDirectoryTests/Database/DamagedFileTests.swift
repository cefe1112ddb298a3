import AirfieldTestSupport
import FieldstoneTesting
import Foundation
import Testing

@testable import AirfieldApp

@Suite("A database file that is damaged", .timeLimit(.minutes(10)))
struct DamagedFileTests {
  @Test("is an error wherever it is damaged, and ends nothing")
  func anywhere() async throws {
    let folder = try TemporaryFolder()
    let whole = try folder.path("whole.sqlite")
    let first = try AirportDirectory(path: whole)
    _ = try await first.store(
      (0..<300).map {
        Samples.airport("A\(100 + $0)", iata: "\(100 + $0)", name: "Field \($0)", city: "City")
      })
    await first.close()
    let bytes = try Array(Data(contentsOf: URL(filePath: whole)))
    var random = RandomSource.fresh()
    for round in 0..<20 {
      var damaged = bytes
      for _ in 0..<4 {
        let length = Int.random(in: 1...64, using: &random)
        let start = Int.random(in: 0..<(damaged.count - length), using: &random)
        for index in start..<(start + length) {
          damaged[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let path = try folder.path("\(round).sqlite", damaged)
      await look(at: path)
    }
  }

  @Test("is told to the log, and that a whole one was closed is not")
  func log() async throws {
    let folder = try TemporaryFolder()
    let lines = Recorder<String>()
    let path = try folder.path("airports.sqlite")
    let directory = try AirportDirectory(path: path) { lines.record($0) }
    _ = try await directory.store([Samples.airport("BIBD", name: "Field")])
    try await directory.tamper("UPDATE airport SET latitude = 'north'")
    await #expect(throws: DirectoryError.self) { try await directory.airport(icao: "BIBD") }
    #expect(lines.count == 1)
    await directory.close()
    await #expect(throws: (any Error).self) { try await directory.airport(icao: "BIBD") }
    #expect(lines.count == 1)
  }

  /// Reads and writes all that pages do; only that it comes back counts.
  private func look(at path: String) async {
    guard let directory = try? AirportDirectory(path: path) else { return }
    for query in [AirportQuery(), AirportQuery(search: AirportSearch("field 1"))] {
      _ = try? await directory.results(of: query, limit: 400)
      _ = try? await directory.page(2, of: query)
      _ = try? await directory.points(of: query)
      _ = try? await directory.exportPiece(of: query, at: nil)
    }
    _ = try? await directory.countriesWithAirports()
    if let record = try? await directory.record(icao: "A100") {
      _ = try? await directory.save(record.airport, replacing: "A100", basedOn: record.revision)
    }
    await directory.close()
  }
}
