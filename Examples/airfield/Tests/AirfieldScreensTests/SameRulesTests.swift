import AirfieldTestSupport
import Fieldstone
import Testing

@testable import AirfieldApp

@MainActor
@Suite("What a file may say of an airport, and what may be typed")
struct SameRulesTests {
  nonisolated static let texts = [
    "", " ", "\u{3000}", "\u{200B}", "\u{FEFF}\u{2060}", "Plain", "Łódź", "🛬", "a\u{1B}b",
    "a\u{85}b", "a\u{7F}b", "a\tb", "a" + String(repeating: "\u{301}", count: 3_000),
    String(repeating: "x", count: 200), String(repeating: "x", count: 201),
    String(repeating: "x", count: 20), String(repeating: "x", count: 21),
    String(repeating: "👨‍👩‍👧", count: 20),
  ]

  nonisolated static let values: [(key: String, column: String, values: [String])] = [
    ("name", "name", texts), ("city", "city", texts), ("region", "subd", texts),
    ("localCode", "lid", texts),
    ("icao", "icao", ["BIRK", "bi_1", "BIR", "BIRKX", "BÍRK", "BI K"]),
    ("iata", "iata", ["", "RKV", "rkv", "R_V", "RK", "RKVX", "RÍK"]),
    ("country", "country", ["IS", "is", "QQ", "", "I", "ISL", "ÍS", "1S"]),
    ("elevation", "elevation", ["-2000", "-2001", "30000", "30001", ""] + numbers),
    ("latitude", "lat", ["90", "90.5", "", "0", " ", "64,13", "64,1375", "64,137"]),
    ("longitude", "lon", ["180", "-180.5", "", "0"]),
    ("timeZone", "tz", ["Atlantic/Reykjavik", "Mars/Olympus", "", "europe/vienna", "UTC\u{0}x"]),
  ]

  nonisolated static let numbers = [
    "12.5", "12,5", "1,234", "1.234", "1.234,5", "1,234.5", "1 234", " 12", "1.", "1..", "1e1",
    "1e", "1e999", "nan", "0x10", "high", "-inf", "+5", "١٢",
  ]

  private static let keys = [
    "icao": "icao", "iata": "iata", "name": "name", "city": "city", "subd": "region",
    "country": "country", "elevation": "elevation", "lat": "latitude", "lon": "longitude",
    "tz": "timeZone", "lid": "localCode",
  ]

  @Test("are the same", arguments: values)
  func same(_ key: String, _ column: String, _ values: [String]) async throws {
    let rows = values.enumerated().map { number, value in
      var cells = [
        "icao": "BI\(10 + number)", "iata": "", "name": "Field", "city": "", "subd": "",
        "country": "IS", "elevation": "", "lat": "1", "lon": "1", "tz": "UTC", "lid": "",
      ]
      // At 0 and 0 there is no airport, which other tests try.
      cells[column] = value
      return cells
    }
    let columns = Self.keys.keys.sorted()
    let lines = rows.map { cells in
      columns.map { "\"" + (cells[$0] ?? "").replacing("\"", with: "\"\"") + "\"" }
        .joined(separator: ",") + "\n"
    }
    let file = try await Screens([])
    let text = columns.joined(separator: ",") + "\n" + lines.joined()
    let path = try file.folder.path("rows.csv", text)
    _ = try await AirportImporter(directory: file.directory).run(path)

    let form = try await Screens([Samples.airport("ZZZZ", name: "For its country")])
    let countries = try await form.model.countriesWithAirports()
    for cells in rows {
      let imported = try await file.directory.airport(icao: cells["icao"] ?? "")
      let screen = AirportEditScreen(form.model, editing: nil, countries: countries)
      for (column, key) in Self.keys { screen.form[key]?.text = cells[column] ?? "" }
      let saved = await screen.save().value?.airport
      #expect(saved == imported, "\(column) is \(String(reflecting: cells[column]?.prefix(30)))")
    }
  }

  @Test("have no airport at 0 and 0, which is the sea")
  func nowhere() async throws {
    let screens = try await Screens([Samples.airport("ZZZZ", name: "For its country")])
    let path = try screens.folder.path(
      "one.csv", "icao,name,country,lat,lon,tz\nBIAR,Field,IS,0,0,UTC\n")
    #expect(try await AirportImporter(directory: screens.directory).run(path).counts.rejected == 1)
    let screen = AirportEditScreen(
      screens.model, editing: nil, countries: try await screens.model.countriesWithAirports())
    let texts = [
      "icao": "BIAR", "name": "Field", "country": "IS", "latitude": "0", "longitude": "0",
      "timeZone": "UTC",
    ]
    for (key, text) in texts { screen.form[key]?.text = text }
    #expect(await screen.save().value == nil)
  }
}
