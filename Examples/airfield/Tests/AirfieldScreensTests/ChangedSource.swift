import AirfieldDirectory
import AirfieldScreens

/// A directory that a test changes the answers of.
struct ChangedSource: AirportSource {
  let base: AirportDirectory

  /// Called with what a search has found, before it is given back.
  var onResults: @Sendable (AirportQuery) async -> Void = { _ in }

  /// Called once it was looked for what other processes have changed.
  var onLook: @Sendable () -> Void = {}

  /// Whether airports can be seen one by one.
  var showsRecords = true

  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    let results = try await base.results(of: query, limit: limit)
    await onResults(query)
    return results
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

  func exportPiece(of query: AirportQuery, at mark: ExportRange?) async throws -> ExportPiece {
    try await base.exportPiece(of: query, at: mark)
  }

  func countriesWithAirports() async throws -> [CountryCount] {
    try await base.countriesWithAirports()
  }

  func record(icao: String) async throws -> AirportRecord? {
    showsRecords ? try await base.record(icao: icao) : nil
  }

  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    try await base.save(airport, replacing: code, basedOn: revision)
  }

  func lastChangeByOthers() async throws -> Int {
    defer { onLook() }
    return try await base.lastChangeByOthers()
  }
}
