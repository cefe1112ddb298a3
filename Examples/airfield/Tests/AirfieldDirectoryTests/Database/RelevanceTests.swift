import AirfieldTestSupport
import Foundation
import Testing

@testable import AirfieldApp

@Suite("The first results of a search")
struct RelevanceTests {
  /// The airports that have to do with what is searched for, imported once for all of these tests.
  private static let all = Task {
    let folder = try TemporaryFolder()
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    let places = ["london", "paris", "heathrow", "texas", "hawaii", "vienna", "reykjav"]
    let lines = try String(contentsOfFile: BundledAirports.path(), encoding: .utf8)
      .split(separator: "\n")
    let some = lines.dropFirst().filter { line in
      let line = line.lowercased()
      return places.contains { line.contains($0) }
    }
    let file = (lines.prefix(1) + some).joined(separator: "\n")
    _ = try await AirportImporter(directory: directory).run(try folder.path("some.csv", file))
    return (directory: directory, folder: folder)
  }

  let directory: AirportDirectory

  init() async throws {
    directory = try await Self.all.value.directory
  }

  private func first(_ count: Int, of text: String) async throws -> [Airport] {
    let query = AirportQuery(search: AirportSearch(text))
    return try await directory.results(of: query, limit: count).airports
  }

  @Test("are what a traveller means")
  func travellers() async throws {
    #expect(try await first(2, of: "london").map(\.icao) == ["EGLL", "EGKK"])
    #expect(try await first(8, of: "london").allSatisfy { $0.city == "London" })
    #expect(try await first(2, of: "paris").map(\.icao) == ["LFPG", "LFPO"])
    #expect(try await first(1, of: "london city").map(\.iata) == ["LCY"])
    #expect(try await first(1, of: "heathrow").map(\.iata) == ["LHR"])
    #expect(try await first(1, of: "vie").map(\.iata) == ["VIE"])
    #expect(try await first(1, of: "loww").map(\.iata) == ["VIE"])
  }

  @Test("are those of a region", arguments: ["texas", "hawaii"])
  func regions(_ text: String) async throws {
    let found = try await first(20, of: text)
    #expect(found.count == 20)
    #expect(found.filter { $0.region?.lowercased() == text }.count >= 15)
  }

  @Test(
    "forgive one typo",
    arguments: [
      ("heathow", "heathrow"), ("haethrow", "heathrow"), ("heathrrow", "heathrow"),
      ("heathrew", "heathrow"), ("london heathow", "london heathrow"),
      ("reykjavk airport", "reykjavik airport"),
    ])
  func typos(_ typed: String, _ meant: String) async throws {
    let (found, wanted) = (try await first(50, of: typed), try await first(50, of: meant))
    #expect(!wanted.isEmpty)
    #expect(Set(found.map(\.icao)) == Set(wanted.map(\.icao)))
    let query = AirportQuery(search: AirportSearch(typed))
    #expect(try await directory.points(of: query).count == found.count)
    #expect(try await directory.page(1, of: query).total == found.count)
  }

  @Test(
    "forgive one typo in letters that no keyboard of the West has",
    arguments: ["Шереметево", "Шереметьевво", "Шериметьево", "Шермеетьево", "Тапиолло"])
  func typosElsewhere(_ typed: String) async throws {
    let folder = try TemporaryFolder()
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store([
      Samples.airport("UUEE", name: "Шереметьево"), Samples.airport("EFTP", name: "Тапиола"),
    ])
    let found = try await directory.page(1, of: AirportQuery(search: AirportSearch(typed))).airports
    #expect(found.map(\.icao) == (typed.hasPrefix("Ш") ? ["UUEE"] : []))
  }

  @Test("forgive a typo in a search of 100 letters, and only where it takes few look-ups")
  func boundedTypos() async throws {
    let folder = try TemporaryFolder()
    let directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    /// A word of ideographs of which none is near another.
    func word(_ count: Int, from first: Int = 0x4E00) -> String {
      String(String.UnicodeScalarView((0..<count).compactMap { Unicode.Scalar(first + 70 * $0) }))
    }
    let short = word(5, from: 0x6000)
    let latin = [40, 40, 18].map { String(repeating: "abcdefghi", count: 5).prefix($0) }
    _ = try await directory.store([
      Samples.airport("AAAA", name: short), Samples.airport("BBBB", name: word(39)),
      Samples.airport("CCCC", name: latin.joined(separator: " ")),
    ])
    func found(_ text: String) async throws -> [String] {
      try await directory.page(1, of: AirportQuery(search: AirportSearch(text))).airports
        .map(\.icao)
    }
    #expect(try await found(short + "x") == ["AAAA"])
    #expect(try await found(latin.map { "x" + $0.dropFirst() }.joined(separator: " ")) == ["CCCC"])
    #expect(try await found(word(39) + "x").isEmpty)
    #expect(try await found(word(39)) == ["BBBB"])
  }

  @Test("are none where nothing is near", arguments: ["qqqqqq", "zzzz", "heathooow"])
  func nothing(_ text: String) async throws {
    #expect(try await first(5, of: text).isEmpty)
  }

  @Test(
    "go on where they stopped, however they are sliced", arguments: [1, 7, 60],
    ["reykjavik", "london"])
  func slices(_ limit: Int, _ text: String) async throws {
    let query = AirportQuery(search: AirportSearch(text))
    let all = try await directory.page(1, of: query, size: 1_000)
    var (found, cursor): ([String], AirportCursor?) = ([], nil)
    repeat {
      let slice = try await directory.airports(of: query, after: cursor, limit: limit)
      found += slice.airports.map(\.icao)
      cursor = slice.next
    } while cursor != nil
    #expect(found == all.airports.map(\.icao))
    #expect(Set(found).count == all.total)
  }
}
