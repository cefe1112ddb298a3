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

  /// The airports that a query finds in an area, as dots on a map.
  func points(of query: AirportQuery, in area: MapArea) async throws -> [AirportPoint]

  /// The airports that a query finds as lines of a CSV file: the first of them with its header, or
  /// those at a mark.
  func exportPiece(of query: AirportQuery, at mark: ExportRange?) async throws -> ExportPiece

  /// The countries that have airports, by name.
  func countriesWithAirports() async throws -> [CountryCount]

  /// The airport with this code, as it is stored.
  func record(icao: String) async throws -> AirportRecord?

  /// Saves an airport in one transaction; ``AirfieldDirectory/AirportSaveError`` says why not.
  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord

  /// Deletes an airport, which can be restored; ``AirfieldDirectory/AirportSaveError`` says why not.
  @discardableResult
  func delete(icao: String, basedOn revision: Int) async throws -> AirportRecord

  /// The airport that was deleted last of those with a code and can be restored; nil where there is
  /// none.
  func deleted(icao: String) async throws -> Airport?

  /// Puts an airport back that was deleted; ``AirfieldDirectory/AirportSaveError`` says why not.
  func restore(icao: String) async throws -> AirportRecord

  /// Whether airports can be read and nothing else.
  var isReadOnly: Bool { get }

  /// The code that an airport has now which had this one before; nil where none had it.
  func successor(of code: String) async throws -> String?

  /// The airports nearest to one, the nearest first.
  func neighbours(of airport: Airport, limit: Int) async throws -> [Neighbour]

  /// A number that is another one whenever another process has changed airports.
  func lastChangeByOthers() async throws -> Int
}

extension AirportSource {
  /// Nothing: no airport can be deleted here.
  @discardableResult
  public func delete(icao: String, basedOn revision: Int) async throws -> AirportRecord {
    throw AirportSaveError.gone(icao: icao)
  }

  /// None: no airport can be deleted here.
  public func deleted(icao: String) async throws -> Airport? { nil }

  /// Nothing: no airport can be deleted here.
  public func restore(icao: String) async throws -> AirportRecord {
    throw AirportSaveError.gone(icao: icao)
  }

  /// False: airports can be saved here.
  public var isReadOnly: Bool { false }

  /// None: no airport here has had another code.
  public func successor(of code: String) async throws -> String? { nil }

  /// None: nobody has looked for them.
  public func neighbours(of airport: Airport, limit: Int) async throws -> [Neighbour] { [] }

  /// The same number always: no other process knows of these airports.
  public func lastChangeByOthers() async throws -> Int { 0 }
}

extension AirportDirectory: AirportSource {}
