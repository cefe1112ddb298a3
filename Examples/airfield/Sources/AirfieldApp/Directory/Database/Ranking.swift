import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// The numbers of all rows that a query finds, in the order in which they are listed: by how much
/// they are what was searched for, then by name; or by what somebody has asked for.
///
/// Made once, it gives any page in the time of the page. Making it costs one look through the index
/// of names, kept as the ranking of all airports, and one through that of words.
struct Ranking: Sendable {
  let rows: [Int64]

  /// What they are sorted by; nil for relevance and name.
  let order: AirportOrder?

  /// Where the rows of each relevance end; all are of the first where the search tells none apart.
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
    var found: [RowSet] = []
    if let country = query.country {
      found.append(try db.rowSet("SELECT id AS row FROM airport WHERE country = ?", [country]))
    }
    if let kind = query.kind {
      found.append(try db.rowSet("SELECT id AS row FROM airport WHERE \(kind.condition)"))
    }
    if let search = query.search { found.append(try SearchWords.rows(of: search, db)) }
    let relevance = order == nil ? try SearchRelevance(query.search, db) : nil
    var groups: [[Int64]] = Array(repeating: [], count: SearchRelevance.count)
    for row in all.rows where found.allSatisfy({ $0.contains(row) }) {
      groups[relevance?.of(row) ?? 0].append(row)
    }
    var (rows, ends): ([Int64], [Int]) = ([], [])
    rows.reserveCapacity(groups.reduce(0) { $0 + $1.count })
    for group in groups {
      rows += group
      ends.append(rows.count)
    }
    (self.rows, self.ends) = (rows, ends)
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

/// The rankings of what was asked for last, as long as no airport is written.
final class RankingCache: Sendable {
  /// How many rows all of them together have; of more than that only the last is kept.
  private static let mostRows = 2_000_000

  /// How many there are: those without rows take up memory, too.
  static let mostRankings = 64

  private let state = Mutex(State())

  /// How many airports each connection has counted, and in which state of the file.
  private let counts = Mutex<[ObjectIdentifier: (state: Int, count: Int)]>([:])

  var count: Int { state.withLock { $0.rankings.count } }

  /// The ranking of a query in the state that a read sees.
  func ranking(of query: AirportQuery, _ db: Database) throws -> Ranking {
    let version = try Version(db, count: count(db))
    if let known = state.withLock({ $0.ranking(of: query, at: version) }) { return known }
    let ranking =
      query.isForAll
      ? try Ranking(all: db, by: query.order)
      : try Ranking(query, among: self.ranking(of: AirportQuery(order: query.order), db), db)
    state.withLock { $0.keep(ranking, of: query, at: version) }
    return ranking
  }

  /// Forgets what a connection has counted that was where a new one is.
  func begin(_ db: Database) {
    counts.withLock { $0[ObjectIdentifier(db)] = nil }
  }

  /// How many airports there are: counted, which takes as long as most pages, only after somebody has
  /// written to the file.
  private func count(_ db: Database) throws -> Int {
    let (connection, state) = (
      ObjectIdentifier(db), try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
    )
    if let known = counts.withLock({ $0[connection] }), known.state == state { return known.count }
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM airport") ?? 0
    counts.withLock { $0[connection] = (state, count) }
    return count
  }

  /// Tells one state of the airports from every other; the count is for what other programs do.
  private struct Version: Equatable {
    let change: Int
    let count: Int

    init(_ db: Database, count: Int) throws {
      self.count = count
      change = try ChangeMark.last(db)
    }
  }

  private struct State {
    private var version: Version?
    private(set) var rankings: [(query: AirportQuery, ranking: Ranking)] = []

    mutating func ranking(of query: AirportQuery, at version: Version) -> Ranking? {
      guard version == self.version,
        let index = rankings.firstIndex(where: { $0.query == query })
      else { return nil }
      // Looked at last, forgotten last.
      let known = rankings.remove(at: index)
      rankings.append(known)
      return known.ranking
    }

    mutating func keep(_ ranking: Ranking, of query: AirportQuery, at version: Version) {
      if version != self.version {
        // A read that began before the last change has nothing to tell those after it.
        if let known = self.version, known.change > version.change { return }
        self.version = version
        rankings = []
      }
      rankings.removeAll { $0.query == query }
      rankings.append((query, ranking))
      while rankings.count > 1,
        rankings.count > RankingCache.mostRankings
          || rankings.reduce(0, { $0 + $1.ranking.rows.count }) > RankingCache.mostRows
      {
        rankings.removeFirst()
      }
    }
  }
}

/// Numbers of rows, of which it is only asked whether one is among them: a bit each.
struct RowSet: Sendable {
  private var bits: [UInt64] = []

  /// Those that would make the bits too many; only another program gives such numbers.
  private var others: Set<Int64> = []

  private static let span: Range<Int64> = 0..<(1 << 26)

  init(_ rows: some Sequence<Int64> = []) {
    for row in rows { insert(row) }
  }

  var isEmpty: Bool { others.isEmpty && bits.allSatisfy { $0 == 0 } }

  mutating func insert(_ row: Int64) {
    guard Self.span.contains(row) else {
      others.insert(row)
      return
    }
    let word = Int(row >> 6)
    if word >= bits.count {
      bits += repeatElement(0, count: max(word + 1, 2 * bits.count) - bits.count)
    }
    bits[word] |= 1 << UInt64(row & 63)
  }

  func contains(_ row: Int64) -> Bool {
    let word = Int(truncatingIfNeeded: row >> 6)
    guard bits.indices.contains(word) else { return !others.isEmpty && others.contains(row) }
    return bits[word] & (1 << UInt64(row & 63)) != 0
  }
}

extension Database {
  /// The numbers that a statement gives, under the name `row` and in its order.
  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Int64] {
    try gather(sql, arguments) { Array($0) }
  }

  /// The numbers that a statement gives, under the name `row`.
  func rowSet(_ sql: String, _ arguments: StatementArguments = []) throws -> RowSet {
    try gather(sql, arguments) { RowSet($0) }
  }

  /// Gathers numbers within SQLite, and hands all of them out at once: one by one it takes several
  /// times as long for half a million.
  private func gather<Value>(
    _ sql: String, _ arguments: StatementArguments,
    _ body: (UnsafeBufferPointer<Int64>) throws -> Value
  ) throws -> Value {
    let all = try Row.fetchCursor(
      self, sql: "SELECT gathered(row) FROM (\(sql))", arguments: arguments)
    guard let row = try all.next() else {
      return try body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return try row.withUnsafeData(atIndex: 0) { data in
      try (data ?? Data()).withUnsafeBytes { try body($0.bindMemory(to: Int64.self)) }
    }
  }

  /// Adds the aggregate function that ``rows(_:_:)`` needs: numbers of eight bytes as one value.
  func addGathering() {
    sqlite3_create_function_v2(
      sqliteConnection, "gathered", 1, SQLITE_UTF8, nil, nil,
      { context, _, values in
        guard let gathered = GatheredNumbers.of(context, size: MemoryLayout<GatheredNumbers>.size),
          gathered.pointee.add(sqlite3_value_int64(values?[0]))
        else { return sqlite3_result_error_nomem(context) }
      },
      { context in
        // Without a row there are none, and the result is NULL.
        guard let gathered = GatheredNumbers.of(context, size: 0)?.pointee else { return }
        sqlite3_result_blob64(
          context, gathered.numbers, UInt64(gathered.count * MemoryLayout<Int64>.size), sqlite3_free
        )
      }, nil)
  }
}

/// The numbers of a statement that is under way, in memory of SQLite's, which is all 0 at first.
private struct GatheredNumbers {
  private(set) var numbers: UnsafeMutablePointer<Int64>?
  private(set) var count: Int
  private var capacity: Int

  static func of(_ context: OpaquePointer?, size: Int) -> UnsafeMutablePointer<Self>? {
    sqlite3_aggregate_context(context, Int32(size))?.assumingMemoryBound(to: Self.self)
  }

  /// Adds one; false where there is no memory for it.
  mutating func add(_ number: Int64) -> Bool {
    if count == capacity {
      let room = max(1_024, 2 * capacity)
      let size = UInt64(room * MemoryLayout<Int64>.size)
      guard let memory = sqlite3_realloc64(numbers, size) else { return false }
      (numbers, capacity) = (memory.assumingMemoryBound(to: Int64.self), room)
    }
    numbers?[count] = number
    count += 1
    return true
  }
}
