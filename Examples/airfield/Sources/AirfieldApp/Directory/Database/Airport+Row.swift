import GRDB

extension Airport {
  /// The columns that ``init(row:)`` reads, in its order.
  static let columns = [
    "icao", "iata", "name", "city", "region", "country", "elevation", "latitude", "longitude",
    "timeZone", "localCode", "tags",
  ].map { "airport." + $0 }.joined(separator: ", ")

  init(row: Row) throws {
    self.init(
      icao: try row.value(0), iata: try row.value(1), name: try row.value(2),
      city: try row.value(3), region: try row.value(4), country: try row.value(5),
      elevation: try row.value(6), latitude: try row.value(7), longitude: try row.value(8),
      timeZone: try row.value(9), localCode: try row.value(10),
      tags: try row.value(11, String.self).split(separator: "\n").map(String.init))
  }

  /// The airport whose row has a value in a column of which no two have the same.
  static func with(
    _ column: String, _ value: some DatabaseValueConvertible, _ db: Database
  ) throws -> Airport? {
    let select = try db.cachedStatement(
      sql: "SELECT \(columns) FROM airport WHERE \(column) = ?")
    return try Row.fetchOne(select, arguments: [value]).map { try Airport(row: $0) }
  }
}

extension Row {
  /// The value of a column, whatever somebody has put there: a subscript would end the process
  /// where that is of another type.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ index: Int, _ type: Value.Type = Value.self
  ) throws -> Value {
    try decode(Value.self, atIndex: index)
  }
}
