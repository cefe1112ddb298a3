import Fieldstone

/// The fields of an airport with their rules.
@MainActor
final class AirportForm {
  let icao = Field<String>("ICAO code", key: "icao")
    .text(as: .uppercased)
    .require(.notBlank)
    .require(message: "must be four of A–Z, 0–9 and _", code: "pattern") {
      AirportRules.isICAO($0)
    }
    .presented(help: "Four characters, as pilots know it: LOWW.", keyboard: .ascii)
  let iata = Field<String>("IATA code", key: "iata")
    .text(as: codeFormat)
    .require(message: "must be three of A–Z and 0–9", code: "pattern") {
      AirportRules.isIATA($0)
    }
    .presented(help: "Three characters, as on a ticket: VIE. Empty where it has none.")
  let name = Field<String>("Name", key: "name").text(as: textFormat).require(.notBlank)
  let city = Field<String>("City", key: "city").text(as: textFormat)
  let region = Field<String>("Region", key: "region").text(as: textFormat)
  let country: Field<String>
  let localCode = Field<String>("Local code", key: "localCode").text(as: textFormat)
    .presented(help: "The code that the country itself gives.")
  let elevation = Field<Double>("Elevation", key: "elevation")
    .require(.range(AirportRules.elevations)).presented(help: "In feet above the sea.")
  let latitude = Field<Double>("Latitude", key: "latitude")
    .require(.notNil).require(.range(AirportRules.latitudes))
    .presented(help: "Degrees, north is positive.")
  let longitude = Field<Double>("Longitude", key: "longitude")
    .require(.notNil).require(.range(AirportRules.longitudes))
    .presented(help: "Degrees, east is positive.")
  let timeZone: Field<String>
  let tags = ArrayField(
    Field<String>("Tag").require(.notBlank).require(.length(...20)), name: "Tags", key: "tags",
    value: []
  ).require(.count(...8)).presented(help: "Several at once with commas between them.")

  private(set) lazy var form = FormModel(timing: .onBlur) {
    FormSection("Airport") {
      icao
      iata
      name
      city
      region
      country
      localCode
    }
    FormSection("Place") {
      elevation
      latitude
      longitude
      timeZone
    }
    FormSection("Tags") { tags }
  }
  .map(\Airport.icao, to: icao)
  .map(\Airport.iata, to: iata)
  .map(\Airport.name, to: name)
  .map(\Airport.city, to: city)
  .map(\Airport.region, to: region)
  .map(\Airport.country, to: country)
  .map(\Airport.localCode, to: localCode)
  .map(\Airport.elevation, to: elevation)
  .map(\Airport.latitude, to: latitude)
  .map(\Airport.longitude, to: longitude)
  .map(\Airport.timeZone, to: timeZone)
  .map(\Airport.tags, to: tags)

  /// Makes the fields; `isTaken` tells whether another airport has a code.
  init(
    countries: [CountryCount], time: TimeSource,
    isTaken: @escaping @Sendable (String) async throws -> Bool
  ) {
    country = Field<String>("Country", key: "country").text(as: Self.codeFormat)
      .require(.notNil)
      .require(message: "must be two of A–Z", code: "pattern") { AirportRules.isCountry($0) }
      .presented(as: .choice(countries.map { FieldOption($0.code, label: $0.name) }))
    timeZone = Field<String>("Time zone", key: "timeZone").text(as: Self.zoneFormat)
      .require(.notNil)
      .require(message: "is not a time zone that is known", code: "timeZone") {
        TimeZoneCatalog.contains($0)
      }
      .presented(help: "As in Europe/Vienna.", keyboard: .ascii)
    icao.time = time
    icao.require(
      .asynchronous("is taken by another airport", code: "taken") { try await !isTaken($0) })
    for (text, column) in [
      (name, AirportColumn.name), (city, .city), (region, .subd), (localCode, .lid),
    ] {
      let limit = AirportRules.longest(column)
      text.require(message: "must have at most \(limit) characters", code: "tooLong") {
        AirportRules.fits($0, in: column)
      }
      text.require(message: "holds a control character", code: "control") {
        !AirportRules.hasControlCharacter($0)
      }
    }
    tags.require(message: "says the same twice", code: "repeated") {
      Set($0.map { $0.lowercased() }).count == $0.count
    }
    tags.element.require(message: "must stand on one line", code: "control") {
      !$0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    form.require(
      latitude, longitude, at: longitude, message: "and latitude can’t both be 0: that is the sea",
      code: "nowhere"
    ) { latitude, longitude in
      guard let latitude, let longitude else { return true }
      return !AirportRules.isNowhere(latitude: latitude, longitude: longitude)
    }
  }

  /// Texts of which nothing is seen are no texts, as in a file.
  private static let textFormat = FieldTextFormat<String>(
    parse: { AirportRules.isBlank($0) ? nil : $0 }, print: { $0 })

  /// Time zones, in whatever letters they are typed.
  private static let zoneFormat = FieldTextFormat<String>(
    parse: { $0.isEmpty ? nil : TimeZoneCatalog.spelled($0) }, print: { $0 })

  /// Codes that may be left out, in capitals.
  private static let codeFormat = FieldTextFormat<String>(
    parse: { $0.isEmpty ? nil : $0.uppercased() }, print: { $0 })
}
