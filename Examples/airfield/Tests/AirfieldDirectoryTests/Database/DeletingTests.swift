import AirfieldTestSupport
import Testing

@testable import AirfieldApp

@Suite("An airport that is deleted")
struct DeletingTests {
  let folder: TemporaryFolder
  let directory: AirportDirectory

  init() async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("BIBD", name: "Bíldudalur"), Samples.airport("BIRK", name: "Reykjavik"),
    ])
  }

  @Test("is found no more, and comes back with its tags, its former codes and its place")
  func comesBack() async throws {
    var airport = try #require(try await directory.airport(icao: "BIBD"))
    airport.tags = ["scenic", "gravel"]
    airport.icao = "BIXX"
    let record = try await directory.save(airport, replacing: "BIBD", basedOn: 1)
    let exported = try await directory.exportPiece(of: AirportQuery(), at: nil).text

    #expect(try await directory.delete(icao: "bixx", basedOn: record.revision) == record)
    #expect(try await directory.record(icao: "BIXX") == nil)
    #expect(try await directory.successor(of: "BIBD") == nil)
    #expect(try await directory.codes(of: "scenic").isEmpty)
    #expect(try await directory.count() == 1)
    #expect(try await directory.deleted(icao: "bixx") == airport)

    let restored = try await directory.restore(icao: "bixx")
    #expect(restored == AirportRecord(airport: airport, revision: record.revision + 1))
    #expect(try await directory.record(icao: "BIXX") == restored)
    #expect(try await directory.successor(of: "BIBD") == "BIXX")
    #expect(try await directory.codes(of: "scenic") == ["BIXX"])
    #expect(try await directory.exportPiece(of: AirportQuery(), at: nil).text == exported)
    #expect(try await directory.deleted(icao: "BIXX") == nil)
  }

  @Test("stays where somebody else has saved it in between, or where there is none")
  func refused() async throws {
    let saved = try await directory.save(
      Samples.airport("BIBD", name: "Theirs"), replacing: "BIBD", basedOn: 1)
    await #expect(throws: AirportSaveError.conflict(saved)) {
      try await directory.delete(icao: "BIBD", basedOn: 1)
    }
    await #expect(throws: AirportSaveError.gone(icao: "NONE")) {
      try await directory.delete(icao: "NONE", basedOn: 1)
    }
    #expect(try await directory.count() == 2)
  }

  @Test("does not take the code from another that has it by now, and comes back after that one")
  func codeTaken() async throws {
    try await directory.delete(icao: "BIBD", basedOn: 1)
    _ = try await directory.save(
      Samples.airport("BIBD", name: "Another"), replacing: nil, basedOn: nil)
    #expect(try await directory.deleted(icao: "BIBD") == nil)
    await #expect(throws: AirportSaveError.codeTaken(icao: "BIBD")) {
      _ = try await directory.restore(icao: "BIBD")
    }
    _ = try await directory.save(
      Samples.airport("BIXX", name: "Another"), replacing: "BIBD", basedOn: 1)
    #expect(try await directory.restore(icao: "BIBD").airport.name == "Bíldudalur")
    #expect(try await directory.count() == 3)
  }

  @Test("comes back as another row where a new airport has its own by now")
  func rowTaken() async throws {
    try await directory.delete(icao: "BIRK", basedOn: 1)
    _ = try await directory.store([Samples.airport("ZZZZ", name: "Next")])
    #expect(try await directory.restore(icao: "BIRK").airport.name == "Reykjavik")
    #expect(try await directory.codes(of: "reykjavik") == ["BIRK"])
    #expect(try await directory.codes(of: "next") == ["ZZZZ"])
  }

  @Test("is forgotten after a thousand more, and cannot come back twice")
  func forgotten() async throws {
    try await directory.delete(icao: "BIBD", basedOn: 1)
    try await directory.tamper("INSERT INTO deletedAirport VALUES (1000, 'ZZZZ', 9, '', 1, '')")
    try await directory.delete(icao: "BIRK", basedOn: 1)
    #expect(try await directory.deleted(icao: "BIBD") == nil)
    _ = try await directory.restore(icao: "BIRK")
    await #expect(throws: AirportSaveError.codeTaken(icao: "BIRK")) {
      _ = try await directory.restore(icao: "BIRK")
    }
    await #expect(throws: AirportSaveError.gone(icao: "BIBD")) {
      _ = try await directory.restore(icao: "BIBD")
    }
  }

  @Test("is there again once a file that has it is imported")
  func imported() async throws {
    try await directory.delete(icao: "BIBD", basedOn: 1)
    _ = try await directory.store([Samples.airport("BIBD", name: "Imported")])
    #expect(try await directory.airport(icao: "BIBD")?.name == "Imported")
  }
}
