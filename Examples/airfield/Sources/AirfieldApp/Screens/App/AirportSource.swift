import Fieldstone

/// Where screens get airports from and where they save them: the directory, with the faults that
/// somebody has switched on.
struct AirportSource: Sendable {
  let directory: AirportDirectory

  /// Called before the directory is asked for anything.
  var reach: FaultReach = { Faults() }

  // What the directory does; a test puts something else in its place.
  var find: @Sendable (AirportQuery, _ limit: Int) async throws -> AirportResults
  var look: @Sendable (_ icao: String) async throws -> AirportRecord?
  var piece: @Sendable (AirportQuery, ExportRange?) async throws -> ExportPiece
  var lastChange: @Sendable () async throws -> Int

  init(_ directory: AirportDirectory) {
    self.directory = directory
    find = { try await directory.results(of: $0, limit: $1) }
    look = { try await directory.record(icao: $0) }
    piece = { try await directory.exportPiece(of: $0, at: $1) }
    lastChange = { try await directory.lastChangeByOthers() }
  }

  var isReadOnly: Bool { directory.isReadOnly }

  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults {
    try await reach().findsNothing ? .none(of: query) : find(query, limit)
  }

  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice {
    if try await reach().failsNextPage { throw FaultError.nextPage }
    return try await directory.airports(of: query, after: cursor, limit: limit)
  }

  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage {
    let faults = try await reach()
    if faults.failsNextPage, number > 1 { throw FaultError.nextPage }
    return faults.findsNothing ? .none : try await directory.page(number, of: query, size: size)
  }

  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint] {
    try await reach().findsNothing ? [] : directory.points(of: query, in: area)
  }

  func exportPiece(of query: AirportQuery, at mark: ExportRange?) async throws -> ExportPiece {
    let faults = try await reach()
    if faults.failsNextPage, mark != nil { throw FaultError.nextPage }
    // What has begun with a header goes on as it began.
    return faults.findsNothing && mark == nil ? .none : try await piece(query, mark)
  }

  func record(icao: String) async throws -> AirportRecord? {
    _ = try await reach()
    return try await look(icao)
  }

  func lastChangeByOthers() async throws -> Int {
    _ = try await reach()
    return try await lastChange()
  }

  /// Asks the directory for what only its being reached stands in the way of.
  func reaching<Value: Sendable>(
    _ body: (AirportDirectory) async throws -> Value
  ) async throws -> Value {
    _ = try await reach()
    return try await body(directory)
  }

  /// Has the directory save something.
  func saving<Value: Sendable>(
    _ body: (AirportDirectory) async throws -> Value
  ) async throws -> Value {
    if try await reach().failsSave { throw FaultError.save }
    return try await body(directory)
  }
}
