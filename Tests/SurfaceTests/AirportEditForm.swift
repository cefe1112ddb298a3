import Fieldstone
import Foundation

// The app's model: an airport, and a directory of airports.

// snippet: airport-model
struct Airport: Equatable, Sendable {
  var icao = ""
  var iata: String?
  var name = ""
  var city: String?
  var country: Country = .austria
  var elevation: Int?
  var latitude: Double?
  var longitude: Double?
  var timeZone: String?
  var tags: [String] = []
}

enum Country: String, CaseIterable, DefaultTransformable, Sendable {
  case austria = "AT"
  case poland = "PL"
  case unitedStates = "US"
}

protocol AirportDirectory: Sendable {
  /// Whether an airport has a code, other than the one that is edited.
  func isTaken(_ icao: String, butFor edited: String) async throws -> Bool
  func save(_ airport: Airport) async throws
}
// end

/// The error of a directory that rejects an airport.
struct AirportRefused: Error {
  var reasons: [String: String]
}

@MainActor final class AirportEditForm {
  // snippet: airport-fields
  let icao = Field<String>("ICAO code", key: "icao")
    .text(as: .uppercased)
    .require(.notNil).require(.pattern(/[A-Z]{4}/), message: "must be four letters")
    .presented(help: "As pilots know it, such as LOWW.", keyboard: .ascii)
  let iata = Field<String>("IATA code", key: "iata")
    .text(as: .emptyIsNil)
    .require(.pattern(/[A-Z]{3}/), message: "must be three capital letters")
  let name = Field<String>("Name", key: "name").require(.notBlank).require(.length(...80))
  let city = Field<String>("City", key: "city")
    .text(as: .emptyIsNil).require(.length(...60)).presented(contentType: .city)
  let country = Field<Country>("Country", key: "country").require(.notNil)
  let elevation = Field<Int>("Elevation", key: "elevation")
    .require(.range(-400...6_000)).presented(help: "In metres above the sea.")
  let latitude = Field<Double>("Latitude", key: "latitude").require(.range(-90...90))
  let longitude = Field<Double>("Longitude", key: "longitude").require(.range(-180...180))
  let timeZone = Field<String>("Time zone", key: "timeZone")
    .text(as: .emptyIsNil).require(.oneOf(TimeZone.knownTimeZoneIdentifiers))
  let tags = ArrayField(
    Field<String>("Tag").require(.notBlank).require(.length(...20)), name: "Tags", key: "tags"
  ).require(.count(...8))
  // end

  private let original: Airport
  private let directory: any AirportDirectory

  // snippet: airport-form
  private(set) lazy var form =
    FormModel(timing: .onBlur) {
      FormSection("Airport") {
        icao
        iata
        name
        city
        country
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
    .map(\Airport.country, to: country)
    .map(\Airport.elevation, to: elevation)
    .map(\Airport.latitude, to: latitude)
    .map(\Airport.longitude, to: longitude)
    .map(\Airport.timeZone, to: timeZone)
    .map(\Airport.tags, to: tags)
  // end

  // snippet: airport-rules
  init(
    editing airport: Airport, in directory: any AirportDirectory, time: TimeSource = .system
  ) throws {
    original = airport
    self.directory = directory
    icao.time = time
    icao.require(
      .asynchronous("is taken by another airport", code: "taken") { code in
        try await !directory.isTaken(code, butFor: airport.icao)
      })
    form
      .require(
        latitude, longitude, at: longitude, message: "must be given together with the latitude"
      ) { ($0 == nil) == ($1 == nil) }
      .require(icao, country, at: country, message: "is not the one that the code belongs to") {
        icao, country in
        guard let icao, icao.hasPrefix("LO") else { return true }
        return country == .austria
      }
    try form.fill(from: airport)
  }
  // end

  // snippet: airport-save
  func save() async -> Outcome<Airport> {
    await form.submit {
      var airport = original
      try form.apply(to: &airport)
      do {
        try await directory.save(airport)
      } catch let refused as AirportRefused {
        throw FormRejection(refused.reasons)
      }
      return airport
    }
  }
  // end
}
