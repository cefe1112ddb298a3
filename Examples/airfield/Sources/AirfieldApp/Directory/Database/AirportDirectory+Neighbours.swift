import Foundation
import GRDB

struct Neighbour: Sendable, Equatable {
  let airport: Airport

  /// How far away it is, along the surface of the earth.
  let kilometres: Double
}

extension AirportDirectory {
  /// The airports nearest to one, the nearest first.
  ///
  /// It costs a look at all airports between two parallels, which are as far apart as it takes.
  func neighbours(of airport: Airport, limit: Int) async throws -> [Neighbour] {
    try await read { db in
      var nearest: [(row: Int64, kilometres: Double)] = []
      for band in [0.5, 2, 8, 180] {
        nearest = try Self.rows(within: band, of: airport, db)
        // What lies beyond the parallels is farther away than they are.
        let known = nearest.prefix { $0.kilometres <= band * Self.kilometresOfDegree }
        if known.count >= limit { break }
      }
      return try nearest.prefix(limit).compactMap { row, kilometres in
        try Airport.with("id", row, db).map { Neighbour(airport: $0, kilometres: kilometres) }
      }
    }
  }

  private static let kilometresOfDegree = 111.19

  private static func rows(
    within degrees: Double, of airport: Airport, _ db: Database
  ) throws -> [(row: Int64, kilometres: Double)] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, latitude, longitude FROM airport
        WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN -180 AND 180
        """, arguments: [airport.latitude - degrees, airport.latitude + degrees])
    let own = try Int64.fetchOne(
      db, sql: "SELECT id FROM airport WHERE icao = ?", arguments: [airport.icao])
    var found: [(row: Int64, kilometres: Double)] = []
    while let row = try rows.next() {
      let number = try row.value(0, Int64.self)
      guard number != own else { continue }
      let distance = distance(
        from: (airport.latitude, airport.longitude), to: (try row.value(1), try row.value(2)))
      found.append((number, distance))
    }
    return found.sorted { ($0.kilometres, $0.row) < ($1.kilometres, $1.row) }
  }

  /// The way along the surface of a globe, by the haversine formula.
  private static func distance(
    from first: (Double, Double), to second: (Double, Double)
  ) -> Double {
    let radians = Double.pi / 180
    let (north, east) = ((second.0 - first.0) * radians / 2, (second.1 - first.1) * radians / 2)
    let haversine =
      sin(north) * sin(north)
      + cos(first.0 * radians) * cos(second.0 * radians) * sin(east) * sin(east)
    return 2 * kilometresOfDegree / radians * asin(min(1, haversine.squareRoot()))
  }
}
