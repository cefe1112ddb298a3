import AirfieldDirectory
import Fieldstone

/// A source with faults that somebody has switched on.
struct FaultySource<Base: AirportSource>: AirportSource {
  let base: Base
  let faults: FaultSwitches
  let time: TimeSource

  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    let faults = try await reached()
    let results = try await base.results(of: query, limit: limit)
    guard faults.findsNothing else { return results }
    return AirportResults(
      query: query, total: 0, count: results.count, airports: [], next: nil)
  }

  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    if try await reached().failsNextPage { throw FaultError.nextPage }
    return try await base.airports(of: query, after: cursor, limit: limit)
  }

  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage {
    let faults = try await reached()
    if faults.failsNextPage, number > 1 { throw FaultError.nextPage }
    if faults.findsNothing { return DirectoryPage(number: 1, last: 1, total: 0, airports: []) }
    return try await base.page(number, of: query, size: size)
  }

  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint] {
    let faults = try await reached()
    return faults.findsNothing ? [] : try await base.points(of: query, in: area)
  }

  func exportPiece(of query: AirportQuery, at mark: ExportMark?) async throws -> ExportPiece {
    let faults = try await reached()
    if faults.failsNextPage, mark != nil { throw FaultError.nextPage }
    // What has begun with a header goes on as it began.
    return faults.findsNothing && mark == nil
      ? .none : try await base.exportPiece(of: query, at: mark)
  }

  func countriesWithAirports() async throws -> [CountryCount] {
    try await base.countriesWithAirports()
  }

  func record(icao: String) async throws -> AirportRecord? {
    _ = try await reached()
    return try await base.record(icao: icao)
  }

  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    if try await reached().failsSave { throw FaultError.save }
    return try await base.save(airport, replacing: code, basedOn: revision)
  }

  @discardableResult
  func delete(icao: String, basedOn revision: Int) async throws -> AirportRecord {
    if try await reached().failsSave { throw FaultError.save }
    return try await base.delete(icao: icao, basedOn: revision)
  }

  func deleted(icao: String) async throws -> Airport? {
    _ = try await reached()
    return try await base.deleted(icao: icao)
  }

  func restore(icao: String) async throws -> AirportRecord {
    if try await reached().failsSave { throw FaultError.save }
    return try await base.restore(icao: icao)
  }

  var isReadOnly: Bool { base.isReadOnly }

  func successor(of code: String) async throws -> String? {
    _ = try await reached()
    return try await base.successor(of: code)
  }

  func neighbours(of airport: Airport, limit: Int) async throws -> [Neighbour] {
    _ = try await reached()
    return try await base.neighbours(of: airport, limit: limit)
  }

  func lastChangeByOthers() async throws -> Int {
    if faults.faults.isOffline { throw FaultError.offline }
    return try await base.lastChangeByOthers()
  }

  /// Waits as long as is switched on, and tells what else is.
  private func reached() async throws -> Faults {
    let latency = faults.faults.latency
    if latency > .zero { try await time.sleep(for: latency) }
    let faults = faults.faults
    if faults.isOffline { throw FaultError.offline }
    return faults
  }
}
