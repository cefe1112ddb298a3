import AirfieldDirectory
import AirfieldScreens
import FieldstoneTesting

/// A directory whose exports go on after their first piece as a test wants, and whose airports are
/// found when it wants.
struct PiecesSource: AirportSource {
  let base: AirportDirectory

  /// The piece at a mark.
  var piece: @Sendable (ExportRange) async throws -> ExportPiece

  /// Called before an airport is looked for.
  var onRecord: @Sendable (_ icao: String) async -> Void = { _ in }

  /// A source that finds an airport only once a gate is open.
  static func gated(
    _ base: AirportDirectory, _ icao: String, _ gate: Gate
  ) -> PiecesSource {
    var source = endless(base)
    source.onRecord = { if $0 == icao { await gate.wait() } }
    return source
  }

  /// A source whose exports have no end.
  static func endless(_ base: AirportDirectory) -> PiecesSource {
    let text = String(repeating: "x,y\r\n", count: 12_000)
    return PiecesSource(base: base) { ExportPiece(text: text, next: $0) }
  }

  func exportPiece(of query: AirportQuery, at mark: ExportRange?) async throws -> ExportPiece {
    if let mark { return try await piece(mark) }
    return try await base.exportPiece(of: query, at: nil)
  }

  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    try await base.results(of: query, limit: limit)
  }

  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    try await base.airports(of: query, after: cursor, limit: limit)
  }

  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage {
    try await base.page(number, of: query, size: size)
  }

  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint] {
    try await base.points(of: query, in: area)
  }

  func countriesWithAirports() async throws -> [CountryCount] {
    try await base.countriesWithAirports()
  }

  func record(icao: String) async throws -> AirportRecord? {
    await onRecord(icao)
    return try await base.record(icao: icao)
  }

  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    try await base.save(airport, replacing: code, basedOn: revision)
  }
}
