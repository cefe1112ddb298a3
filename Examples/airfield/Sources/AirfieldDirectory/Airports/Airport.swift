/// An airport of the directory.
public struct Airport: Sendable, Hashable, Codable, Identifiable {
  /// The four-character code of the International Civil Aviation Organization, which is unique.
  public var icao: String

  /// The three-character code of the International Air Transport Association.
  public var iata: String?

  /// The airport's name.
  public var name: String

  /// The city that it serves.
  public var city: String?

  /// The region of the country that it lies in.
  public var region: String?

  /// The two-letter code of its country (ISO 3166-1).
  public var country: String

  /// The height of the field above the sea, in feet.
  public var elevation: Double?

  /// Degrees north of the equator, from -90 to 90.
  public var latitude: Double

  /// Degrees east of Greenwich, from -180 to 180.
  public var longitude: Double

  /// The identifier of its time zone, as in `Atlantic/Reykjavik`.
  public var timeZone: String

  /// The code that the country itself gives it.
  public var localCode: String?

  /// What people have said of it, in their order; each on one line.
  public var tags: [String]

  /// The same as ``icao``.
  public var id: String { icao }

  /// Makes an airport.
  public init(
    icao: String, iata: String? = nil, name: String, city: String? = nil, region: String? = nil,
    country: String, elevation: Double? = nil, latitude: Double, longitude: Double,
    timeZone: String, localCode: String? = nil, tags: [String] = []
  ) {
    self.icao = icao
    self.iata = iata
    self.name = name
    self.city = city
    self.region = region
    self.country = country
    self.elevation = elevation
    self.latitude = latitude
    self.longitude = longitude
    self.timeZone = timeZone
    self.localCode = localCode
    self.tags = tags
  }
}
