import GRDB

extension AirportDirectory {
  /// The airports that a query finds as lines of a CSV file: the first of them with its header, or
  /// those of a range that the piece before has told.
  ///
  /// They come in the order in which they were stored, as in every export, so that an edit meanwhile
  /// makes none come twice. What is stored after the first were read is not among them, and of a search
  /// are what it has found by then.
  @concurrent func exportPiece(
    of query: AirportQuery, at range: ExportRange?
  ) async throws -> ExportPiece {
    let size = ExportRequest.pageSize
    let first = range == nil ? try await exportExtent(of: query, pageSize: size).first : nil
    guard let place = range ?? first else { return .none }
    let (airports, next) = try await exportPage(place, of: query, pageSize: size)
    let header = range == nil ? ExportFormat.csv.header : ""
    return ExportPiece(text: header + (try ExportFormat.csv.lines(airports)), next: next)
  }

  /// How many exports of the same to the same are over.
  func finishedExports(of request: ExportRequest) async throws -> Int {
    try await read { db in
      try Int.fetchOne(
        db, sql: "SELECT finished FROM exportRun WHERE name = ?", arguments: [request.name]) ?? 0
    }
  }

  /// Whether a code is that of a country, with airports or without.
  func knowsCountry(_ code: String) async throws -> Bool {
    if CountryNames.codes.contains(code) { return true }
    return try await read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM airport WHERE country = ?)", arguments: [code])
        ?? false
    }
  }

  /// How many airports there are to export of a query as things stand, and where the first page lies;
  /// edits may make it one more or less before they are out.
  func exportExtent(
    of query: AirportQuery, pageSize: Int
  ) async throws -> (total: Int, first: ExportRange) {
    try await read { [rankings] db in
      let found = try rankings.ranking(of: query.unordered, db).rows
      if query.search != nil {
        return (found.count, ExportRange(after: 0, first: pageSize, of: found.sorted()[...]))
      }
      let range = try AirportRows(query).range(
        db, after: 0, upTo: AirportRows.newest(db), size: pageSize)
      return (found.count, range)
    }
  }

  /// The airports of a page as they are now, in the order in which they were stored, and where the next
  /// one lies.
  func exportPage(
    _ range: ExportRange, of query: AirportQuery, pageSize: Int
  ) async throws -> (airports: [Airport], next: ExportRange?) {
    try await read { db in
      if let found = range.found {
        let page = found.prefix { $0 <= range.through }
        let rest = found.dropFirst(page.count)
        return (
          try page.compactMap { try Airport.with("id", $0, db) },
          rest.isEmpty ? nil : ExportRange(after: range.through, first: pageSize, of: rest)
        )
      }
      let rows = AirportRows(query)
      let next =
        range.isLast
        ? nil : try rows.range(db, after: range.through, upTo: range.end, size: pageSize)
      return (try rows.fetch(db, in: range), next)
    }
  }
}

/// The rows that a query finds which searches for nothing, as they lie in the file.
struct AirportRows {
  /// What the query has to hold.
  private let conditions: [String]
  private let arguments: StatementArguments

  init(_ query: AirportQuery) {
    conditions = [query.country.map { _ in "airport.country = ?" }, query.kind?.condition]
      .compactMap(\.self)
    arguments = query.country.map { [$0] } ?? []
  }

  /// The highest number of a row there is; 0 where there is none.
  static func newest(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(id) FROM airport") ?? 0
  }

  /// Where so many rows lie in the order in which they were stored, after a row and up to another.
  ///
  /// The number of a row never changes, whatever becomes of the airport: neither a new name nor a
  /// new code makes it come twice, or not at all.
  func range(_ db: Database, after row: Int64, upTo end: Int64, size: Int) throws -> ExportRange {
    // One more than asked for tells whether there is more.
    let ids = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM airport NOT INDEXED WHERE \(span) ORDER BY id LIMIT ?
        """,
      arguments: arguments + [row, end, size + 1])
    return ExportRange(after: row, through: ids.count > size ? ids[size - 1] : end, end: end)
  }

  /// The rows that lie there now.
  func fetch(_ db: Database, in range: ExportRange) throws -> [Airport] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT \(Airport.columns) FROM airport NOT INDEXED WHERE \(span)
        ORDER BY airport.id
        """,
      arguments: arguments + [range.after, range.through]
    ).map { try Airport(row: $0) }
  }

  /// Without an index all pages together go through the table once; with one, each would sort.
  private var span: String {
    (conditions + ["airport.id > ?", "airport.id <= ?"]).joined(separator: " AND ")
  }
}

/// Where the airports of a page lie: behind one row of the table, and up to another.
///
/// Both are fixed before the page is read, so that it has the same airports each time.
struct ExportRange: Sendable, Equatable, Codable {
  let after: Int64
  let through: Int64

  /// The number of the last row of the whole export; what was stored later is not in it.
  let end: Int64

  /// The rows from here on that a search has found: the index of words is asked once for all pages.
  ///
  /// They are not kept, as no export that is durable searches.
  private(set) var found: ArraySlice<Int64>?

  private enum CodingKeys: CodingKey { case after, through, end }

  var isLast: Bool { through == end }
}

extension ExportRange {
  /// The first of so many rows that a search has found, in their order.
  init(after: Int64, first size: Int, of found: ArraySlice<Int64>) {
    let (through, end) = (found.prefix(size).last ?? after, found.last ?? after)
    self.init(after: after, through: through, end: end, found: found)
  }
}

/// A piece of an export, and where the next one lies.
struct ExportPiece: Sendable, Equatable {
  /// How browsers are told what the pieces are together.
  static let contentType = ExportFormat.csv.contentType

  let text: String
  let next: ExportRange?

  /// The export of no airport: a header.
  static let none = ExportPiece(text: ExportFormat.csv.header, next: nil)
}
