import GRDB
import Synchronization

/// The rankings of what was asked for last, as long as no airport is written.
final class RankingCache: Sendable {
  /// How many rows all of them together have; of more than that only the last is kept.
  private static let mostRows = 2_000_000

  private let state = Mutex(State())

  /// How many airports each connection has counted, and in which state of the file.
  private let counts = Mutex<[ObjectIdentifier: (state: Int, count: Int)]>([:])

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
      change = try Int.fetchOne(db, sql: "SELECT max(number) FROM airportChange") ?? 0
    }
  }

  private struct State {
    private var version: Version?
    private var rankings: [(query: AirportQuery, ranking: Ranking)] = []

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
        rankings.reduce(0, { $0 + $1.ranking.rows.count }) > RankingCache.mostRows
      {
        rankings.removeFirst()
      }
    }
  }
}
