import GRDB

extension Airport {
  /// The columns that ``init(row:)`` reads, in its order.
  static let columns = [
    "icao", "iata", "name", "city", "region", "country", "elevation", "latitude", "longitude",
    "timeZone", "localCode", "tags",
  ].map { "airport." + $0 }.joined(separator: ", ")

  init(row: Row) {
    self.init(
      icao: row[0], iata: row[1], name: row[2], city: row[3], region: row[4], country: row[5],
      elevation: row[6], latitude: row[7], longitude: row[8], timeZone: row[9],
      localCode: row[10],
      tags: (row[11] as String).split(separator: "\n").map(String.init))
  }
}
