import GRDB

extension AirportDirectory {
  /// The airports that a query finds as lines of a CSV file: the first of them with its header, or
  /// those at a mark.
  ///
  /// They come in the order in which they were stored, as in every export, so that an edit meanwhile
  /// makes none come twice. What is stored after the first were read is not among them.
  @concurrent public func exportPiece(
    of query: AirportQuery, at mark: ExportMark?
  ) async throws -> ExportPiece {
    let size = ExportRequest.pageSize
    let range: ExportRange
    if let mark {
      range = mark.range
    } else {
      range = try await exportExtent(of: query, pageSize: size).first
    }
    let page = try await exportPage(range, of: query, pageSize: size)
    let lines = try ExportFormat.csv.lines(page.airports)
    return ExportPiece(
      text: mark == nil ? ExportFormat.csv.header + lines : lines,
      next: page.next.map(ExportMark.init))
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

  /// What there is to export of a query as things stand.
  func exportExtent(of query: AirportQuery, pageSize: Int) async throws -> ExportExtent {
    try await read { [rankings] db in
      let rows = try AirportRows(query, db)
      let total = try rankings.ranking(of: query.unordered, db).rows.count
      let range = try rows.range(db, after: 0, upTo: AirportRows.newest(db), size: pageSize)
      return ExportExtent(total: total, first: range)
    }
  }

  /// The airports of a page as they are now, and where the next one lies.
  func exportPage(
    _ range: ExportRange, of query: AirportQuery, pageSize: Int
  ) async throws -> ExportPage {
    try await read { db in
      let rows = try AirportRows(query, db)
      let next =
        range.isLast
        ? nil : try rows.range(db, after: range.through, upTo: range.end, size: pageSize)
      return ExportPage(airports: try rows.fetch(db, in: range), next: next)
    }
  }
}
