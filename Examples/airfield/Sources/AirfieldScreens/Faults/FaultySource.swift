import AirfieldDirectory
import Fieldstone

/// A source with faults that somebody has switched on.
struct FaultySource<Base: AirportSource>: AirportSource {
  let base: Base
  let faults: FaultSwitches
  let time: TimeSource

  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    let faults = try await faults.reached(by: time)
    let results = try await base.results(of: query, limit: limit)
    guard faults.findsNothing else { return results }
    return AirportResults(
      query: query, total: 0, count: results.count, airports: [], next: nil)
  }

  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    if try await faults.reached(by: time).failsNextPage { throw FaultError.nextPage }
    return try await base.airports(of: query, after: cursor, limit: limit)
  }

  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage {
    let faults = try await faults.reached(by: time)
    if faults.failsNextPage, number > 1 { throw FaultError.nextPage }
    if faults.findsNothing { return DirectoryPage(number: 1, last: 1, total: 0, airports: []) }
    return try await base.page(number, of: query, size: size)
  }

  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint] {
    let faults = try await faults.reached(by: time)
    return faults.findsNothing ? [] : try await base.points(of: query, in: area)
  }

  func exportPiece(of query: AirportQuery, at mark: ExportRange?) async throws -> ExportPiece {
    let faults = try await faults.reached(by: time)
    if faults.failsNextPage, mark != nil { throw FaultError.nextPage }
    // What has begun with a header goes on as it began.
    return faults.findsNothing && mark == nil
      ? .none : try await base.exportPiece(of: query, at: mark)
  }

  func countriesWithAirports() async throws -> [CountryCount] {
    try await base.countriesWithAirports()
  }

  func record(icao: String) async throws -> AirportRecord? {
    _ = try await faults.reached(by: time)
    return try await base.record(icao: icao)
  }

  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    if try await faults.reached(by: time).failsSave { throw FaultError.save }
    return try await base.save(airport, replacing: code, basedOn: revision)
  }

  @discardableResult
  func delete(icao: String, basedOn revision: Int) async throws -> AirportRecord {
    if try await faults.reached(by: time).failsSave { throw FaultError.save }
    return try await base.delete(icao: icao, basedOn: revision)
  }

  func deleted(icao: String) async throws -> Airport? {
    _ = try await faults.reached(by: time)
    return try await base.deleted(icao: icao)
  }

  func restore(icao: String) async throws -> AirportRecord {
    if try await faults.reached(by: time).failsSave { throw FaultError.save }
    return try await base.restore(icao: icao)
  }

  var isReadOnly: Bool { base.isReadOnly }

  func successor(of code: String) async throws -> String? {
    _ = try await faults.reached(by: time)
    return try await base.successor(of: code)
  }

  func neighbours(of airport: Airport, limit: Int) async throws -> [Neighbour] {
    _ = try await faults.reached(by: time)
    return try await base.neighbours(of: airport, limit: limit)
  }

  func lastChangeByOthers() async throws -> Int {
    if faults.faults.isOffline { throw FaultError.offline }
    return try await base.lastChangeByOthers()
  }
}

/// Imports with faults that somebody has switched on.
///
/// An import that is under way goes on all the same: it is at work where the data is, and only
/// the pages can't reach it.
struct FaultyImports: AirportImports {
  let base: any AirportImports
  let faults: FaultSwitches
  let time: TimeSource

  var limit: Int { base.limit }

  func receive(name: String) throws -> UploadFile {
    let faults = faults.faults
    if faults.isOffline { throw FaultError.offline }
    // A file that was not kept can't be imported.
    if faults.failsSave { throw FaultError.save }
    return try base.receive(name: name)
  }

  func begin(_ file: UploadedFile) async throws {
    // The file is here; who has gone away meanwhile takes nothing back.
    try? await faults.holdBack(by: time)
    try await base.begin(file)
  }

  func preview(_ file: UploadedFile) async throws -> ImportPreview {
    _ = try await faults.reached(by: time)
    return try await base.preview(file)
  }

  func discard(_ file: UploadedFile) async { await base.discard(file) }

  func changes() -> AsyncStream<Void> { base.changes() }

  func status() async throws -> ImportStatus? {
    _ = try await faults.reached(by: time)
    return try await base.status()
  }

  func cancel() async throws {
    _ = try await faults.reached(by: time)
    try await base.cancel()
  }

  func resume() async throws {
    _ = try await faults.reached(by: time)
    try await base.resume()
  }

  func giveUp() async throws {
    _ = try await faults.reached(by: time)
    try await base.giveUp()
  }

  func rejectsText() async throws -> String? {
    _ = try await faults.reached(by: time)
    return try await base.rejectsText()
  }
}
