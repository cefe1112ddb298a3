public import AirfieldDirectory

/// Where airports come from, and where they are saved.
///
/// The directory is one; a test or a fault puts another in its place.
public protocol AirportSource: Sendable {
  /// The first airports that a query finds, and how many there are.
  func results(of query: AirportQuery, limit: Int) async throws -> AirportResults

  /// The airports that a query finds after a place.
  func airports(
    of query: AirportQuery, after cursor: AirportCursor?, limit: Int
  ) async throws -> AirportSlice

  /// A numbered page of the airports that a query finds.
  func page(_ number: Int, of query: AirportQuery, size: Int) async throws -> DirectoryPage

  /// The airports that a query finds, as dots on a map.
  func points(of query: AirportQuery) async throws -> [AirportPoint]

  /// The airports that a query finds as lines of a CSV file: the first of them with its header, or
  /// those at a mark.
  func exportPiece(of query: AirportQuery, at mark: ExportMark?) async throws -> ExportPiece

  /// The countries that have airports, by name.
  func countriesWithAirports() async throws -> [CountryCount]

  /// The airport with this code, as it is stored.
  func record(icao: String) async throws -> AirportRecord?

  /// Saves an airport in one transaction; ``AirfieldDirectory/AirportSaveError`` says why not.
  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord

  /// A number that is another one whenever another process has changed airports.
  func lastChangeByOthers() async throws -> Int
}

extension AirportSource {
  /// The same number always: no other process knows of these airports.
  public func lastChangeByOthers() async throws -> Int { 0 }
}

extension AirportDirectory: AirportSource {}
