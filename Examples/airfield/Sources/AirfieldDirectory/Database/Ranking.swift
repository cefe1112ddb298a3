import GRDB

/// The numbers of all rows that a query finds, in the order in which they are listed: by how much
/// they are what was searched for, then by name; or by what somebody has asked for.
///
/// Made once, it gives any page in the time of the page. Making it costs one look through the index
/// of names, kept as the ranking of all airports, and one through that of words.
struct Ranking: Sendable {
  /// The rows.
  let rows: [Int64]

  /// What they are sorted by; nil for relevance and name.
  let order: AirportOrder?

  /// Where the rows of each relevance end; one end where the search tells none apart.
  private let ends: [Int]

  /// All airports by name, or in an order.
  init(all db: Database, by order: AirportOrder?) throws {
    self.order = order
    rows = try db.rows("SELECT id AS row FROM airport ORDER BY \(AirportOrder.terms(of: order))")
    ends = [rows.count]
  }

  /// Those of all airports that a query finds.
  init(_ query: AirportQuery, among all: Ranking, _ db: Database) throws {
    order = all.order
    var rows = all.rows
    if let country = query.country {
      rows = Self.keep(
        rows, in: try db.rows("SELECT id AS row FROM airport WHERE country = ?", [country]))
    }
    if let kind = query.kind {
      rows = Self.keep(
        rows, in: try db.rows("SELECT id AS row FROM airport WHERE \(kind.condition)"))
    }
    if let search = query.search {
      rows = Self.keep(rows, in: try SearchWords.rows(of: search, db))
    }
    guard order == nil, let relevance = try SearchRelevance(query.search, db), !rows.isEmpty
    else {
      self.rows = rows
      ends = [rows.count]
      return
    }
    var groups: [[Int64]] = Array(repeating: [], count: SearchRelevance.count)
    for row in rows { groups[relevance.of(row)].append(row) }
    var ends: [Int] = []
    for group in groups { ends.append((ends.last ?? 0) + group.count) }
    self.rows = Array(groups.joined())
    self.ends = ends
  }

  private static func keep(_ rows: [Int64], in found: [Int64]) -> [Int64] {
    guard !found.isEmpty else { return [] }
    let found = RowSet(found)
    return rows.filter(found.contains)
  }

  /// The relevance of the row at an index.
  func relevance(at index: Int) -> Int { ends.firstIndex { index < $0 } ?? ends.count - 1 }

  /// The index of the first row after a place.
  ///
  /// The place names an airport that may be gone or may have another name by now, so it is looked
  /// for by what it says, in a number of steps that grows with the logarithm of the rows.
  func index(after cursor: AirportCursor, _ db: Database) throws -> Int {
    guard ends.indices.contains(cursor.relevance) else { return rows.count }
    var low = cursor.relevance == 0 ? 0 : ends[cursor.relevance - 1]
    var high = ends[cursor.relevance]
    let select = try db.cachedStatement(
      sql: "SELECT \(AirportOrder.isAfter(in: order)) FROM airport WHERE id = ?4")
    while low < high {
      let middle = low + (high - low) / 2
      let isAfter = try Bool.fetchOne(
        select, arguments: [cursor.key, cursor.sortName, cursor.icao, rows[middle]])
      if isAfter ?? false { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
