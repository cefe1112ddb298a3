import AirfieldTestSupport
import FieldstoneSQLite
import GRDB
import Testing

@testable import AirfieldApp

@Suite("The index of words")
struct IndexingTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
  }

  private func total(_ text: String) async throws -> Int {
    try await directory.page(1, of: AirportQuery(search: AirportSearch(text))).total
  }

  /// Fails where the index and the airports say different things.
  private func check() async throws {
    try await directory.tamper(
      "INSERT INTO airportSearch (airportSearch, rank) VALUES ('integrity-check', 1)")
    // A row that is left would divide by zero, and no revision is nothing.
    try await directory.tamper(
      "UPDATE airport SET revision = revision / (SELECT count(*) = 0 FROM airportUnindexed)")
  }

  @Test("has new and changed airports that are stored together, in whatever order they come")
  func mixed() async throws {
    func field(_ code: String, _ name: String) -> Airport { Samples.airport(code, name: name) }
    _ = try await directory.store([field("AAAA", "Alpha"), field("BBBB", "Beta")])
    try await check()
    let result = try await directory.store([
      field("CCCC", "Gamma"), field("AAAA", "Changed"), field("DDDD", "Delta"),
      field("CCCC", "Again"), field("DDDD", "Delta"), field("EEEE", "Epsilon"),
    ])
    #expect(result.stored == 3)
    #expect(result.updated == 2)
    #expect(result.unchanged == 1)
    try await check()
    for (text, count) in [
      ("alpha", 0), ("changed", 1), ("gamma", 0), ("again", 1), ("delta", 1), ("epsilon", 1),
      ("beta", 1),
    ] {
      #expect(try await total(text) == count, "\(text)")
    }
  }

  @Test("has airports whose numbers have come to their end, and those of no batch")
  func end() async throws {
    _ = try await directory.store([Samples.airport("AAAA", name: "Alpha")])
    try await directory.tamper("UPDATE airport SET id = \(Int64.max) WHERE icao = 'AAAA'")
    try await directory.tamper("INSERT INTO airportSearch (airportSearch) VALUES ('rebuild')")
    _ = try await directory.store([Samples.airport("BBBB", name: "Beta")])
    _ = try await directory.save(
      Samples.airport("CCCC", name: "Gamma"), replacing: nil, basedOn: nil)
    try await check()
    for text in ["alpha", "beta", "gamma"] { #expect(try await total(text) == 1) }
    _ = try await directory.store([])
    try await check()
  }
}
