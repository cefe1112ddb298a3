import GRDB

extension AirportDirectory {
  /// The most dots that a map has, whatever the number of airports; about, where they are drawn
  /// together.
  static let mostPoints = 30_000

  /// The airports that a query finds in an area, as dots on a map, in no order.
  ///
  /// Where there are more than ``mostPoints``, those of a square become one dot in its middle. It
  /// costs a look at each airport that the query finds. One that somebody has put nowhere is left
  /// out. Beyond the date line longitudes go on.
  func points(
    of query: AirportQuery, in area: MapArea = .world
  ) async throws -> [AirportPoint] {
    try await read { [rankings] db in
      let ranking = try rankings.ranking(of: query.unordered, db)
      let isForAll = query.isForAll
      let found = isForAll ? RowSet() : RowSet(ranking.rows)
      return try area.parts.flatMap { part, shift in
        try Self.points(isForAll ? nil : found, part, db).map { point in
          var point = point
          point.longitude += shift
          return point
        }
      }
    }
  }

  private static func points(
    _ found: RowSet?, _ area: MapArea, _ db: Database
  ) throws -> [AirportPoint] {
    let rows = try db.rows(
      """
      SELECT id AS row FROM airport WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?
      """, area.values
    ).filter { found?.contains($0) ?? true }
    return try rows.count <= mostPoints ? points(rows, db) : squares(found, area, db)
  }

  private static func points(_ rows: [Int64], _ db: Database) throws -> [AirportPoint] {
    let select = try db.cachedStatement(
      sql: "SELECT icao, name, latitude, longitude FROM airport WHERE id = ?")
    return try rows.compactMap { row in
      try Row.fetchOne(select, arguments: [row]).map { row in
        AirportPoint(
          icao: try row.value(0), name: try row.value(1), latitude: try row.value(2),
          longitude: try row.value(3))
      }
    }
  }

  private static func squares(
    _ found: RowSet?, _ area: MapArea, _ db: Database
  ) throws -> [AirportPoint] {
    let side = area.side(ofSquares: mostPoints)
    let (south, west) = (area.latitudes.lowerBound, area.longitudes.lowerBound)
    // A square has one number: those of its row and its column, and the airport's beside it.
    let numbers = try db.rows(
      """
      SELECT (CAST((latitude - ?) / ? AS INTEGER) << 16 | CAST((longitude - ?) / ? AS INTEGER))
        << 32 | id AS row
      FROM airport
      WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ? AND id BETWEEN 0 AND 4294967295
      """, [south, side, west, side] + area.values)
    var squares: [Int64: (count: Int, row: Int64)] = [:]
    for number in numbers {
      let row = number & 0xFFFF_FFFF
      if let found, !found.contains(row) { continue }
      squares[number >> 32, default: (0, row)].count += 1
    }
    let alone = try points(squares.values.filter { $0.count == 1 }.map(\.row), db)
    return alone
      + squares.filter { $0.value.count > 1 }.map { square, value in
        AirportPoint(
          icao: "", name: "", latitude: south + (Double(square >> 16) + 0.5) * side,
          longitude: west + (Double(square & 0xFFFF) + 0.5) * side, count: value.count)
      }
  }
}

extension MapArea {
  fileprivate var values: StatementArguments {
    [
      latitudes.lowerBound, latitudes.upperBound, longitudes.lowerBound, longitudes.upperBound,
    ]
  }
}

/// A dot on a map: an airport, or several that lie too near to each other to be told apart.
struct AirportPoint: Sendable, Equatable {
  let icao: String
  let name: String
  let latitude: Double
  var longitude: Double

  /// How many airports it is.
  var count = 1
}

/// A part of the world between two parallels and two meridians, in degrees.
///
/// It may go on beyond the date line, and end beyond a pole.
struct MapArea: Sendable, Hashable {
  static let world = MapArea(
    latitudes: AirportRules.latitudes, longitudes: AirportRules.longitudes)

  let latitudes: ClosedRange<Double>
  let longitudes: ClosedRange<Double>

  var height: Double { latitudes.upperBound - latitudes.lowerBound }
  var width: Double { longitudes.upperBound - longitudes.lowerBound }

  /// What of it lies on either side of the date line, with how far east of itself that is shown.
  var parts: [(area: MapArea, shift: Double)] {
    [-360.0, 0, 360].compactMap { shift in
      let west = max(longitudes.lowerBound - shift, Self.world.longitudes.lowerBound)
      let east = min(longitudes.upperBound - shift, Self.world.longitudes.upperBound)
      // A date line at the edge is not there twice.
      guard shift == 0 ? west <= east : west < east else { return nil }
      return (MapArea(latitudes: latitudes, longitudes: west...east), shift)
    }
  }

  /// The width and height of the squares of which there are about so many in it.
  func side(ofSquares count: Int) -> Double {
    max(0.001, (height * width / Double(count)).squareRoot())
  }
}
