struct Airport: Sendable, Hashable, Codable, Identifiable {
  /// The four-character code of the International Civil Aviation Organization, which is unique.
  var icao: String

  /// The three-character code of the International Air Transport Association.
  var iata: String?
  var name: String
  var city: String?
  var region: String?
  var country: String

  /// The height of the field above the sea, in feet.
  var elevation: Double?

  /// Degrees north of the equator, from -90 to 90.
  var latitude: Double

  /// Degrees east of Greenwich, from -180 to 180.
  var longitude: Double
  var timeZone: String
  var localCode: String?

  /// What people have said of it, in their order; each on one line.
  var tags: [String] = []

  var id: String { icao }
}
