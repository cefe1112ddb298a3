import AirfieldTestSupport
import Fieldstone
import FieldstoneTesting
import Foundation

@testable import AirfieldApp

/// A directory in a folder of its own, and what all screens share over it.
@MainActor
struct Screens {
  let folder: TemporaryFolder
  let directory: AirportDirectory
  let time = ManualTime()
  let model: AirfieldModel

  init(_ airports: [Airport]) async throws {
    folder = try TemporaryFolder()
    directory = try AirportDirectory(path: try folder.path("airports.sqlite"))
    _ = try await directory.store(airports)
    model = AirfieldModel(
      source: AirportSource(directory), settings: folder.url.appending(path: "settings.json"),
      time: time.source)
  }

  static let some = [
    Samples.airport("BIBD", iata: "BIU", name: "Bíldudalur Airport", city: "Bíldudalur"),
    Samples.airport("BIRK", iata: "RKV", name: "Reykjavik Airport", city: "Reykjavik"),
    Samples.airport("EPLL", iata: "LCJ", name: "Łódź Airport", city: "Łódź", country: "PL"),
  ]

  static func many(_ count: Int) -> [Airport] {
    (0..<count).map { number in
      let digits = String(number + 1_000)
      return Samples.airport(digits, name: "Field \(digits)")
    }
  }
}
