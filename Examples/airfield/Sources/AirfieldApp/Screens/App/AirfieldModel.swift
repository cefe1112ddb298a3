import Fieldstone
import Foundation

/// What all screens share: where airports come from, the settings, the faults, and who hears of
/// saved airports.
@MainActor
final class AirfieldModel {
  /// Where airports come from, with the faults that are switched on.
  let source: AirportSource
  let faults: FaultPanel
  let settings: SettingsScreen

  /// Who hears of airports that were saved, in the order in which they were.
  let changes = Multicast<(AirportChange) -> Void>()

  /// Who hears that many airports may be other ones, as after an import.
  let reloads = Multicast<() -> Void>()

  /// Who hears what screens are made of, as they are made, with a name to show.
  let parts = Multicast<(ScreenPart, _ name: String) -> Void>()

  /// Forces what loads of screens come to that are made from now on; nil where nothing does.
  var forcing: (any LoadForcing)?

  /// Importing a file; nil where nothing takes files in.
  private(set) var importing: ImportScreen?

  /// The nightly export; nil where nothing makes one.
  let nightly: NightlyScreen?
  let time: TimeSource

  /// The countries to choose from, once somebody has asked.
  private var countries: [CountryCount] = []

  /// How often they were forgotten.
  private var countriesAge = 0
  private static let names = CountryNames()

  init(
    source: AirportSource, settings: URL, imports: DirectoryImports? = nil,
    nightly: NightlyExports? = nil, time: TimeSource = .system
  ) {
    let faults = FaultPanel()
    let reach = faults.reach(by: time)
    var source = source
    source.reach = reach
    self.source = source
    self.faults = faults
    self.settings = SettingsScreen(file: settings, time: time)
    self.nightly = nightly.map { NightlyScreen($0, reach: reach) }
    self.time = time
    importing = imports.map {
      ImportScreen($0, didChange: { [weak self] in self?.reload() }, reach: reach)
    }
  }

  /// Saves an airport, and tells everybody who listens.
  func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    let record = try await source.saving {
      try await $0.save(airport, replacing: code, basedOn: revision)
    }
    tell(AirportChange(before: code, record: record))
    return record
  }

  /// Deletes an airport, and tells everybody who listens.
  func delete(icao: String, basedOn revision: Int) async throws {
    let record = try await source.saving { try await $0.delete(icao: icao, basedOn: revision) }
    tell(AirportChange(before: record.airport.icao, record: nil))
  }

  /// Puts an airport back that was deleted, and tells everybody who listens.
  func restore(icao: String) async throws -> AirportRecord {
    let record = try await source.saving { try await $0.restore(icao: icao) }
    tell(AirportChange(before: nil, record: record))
    return record
  }

  /// Looks for what other processes change, as an import from the command line does, and has all
  /// screens load again then; until the task is cancelled.
  func followOthers(every interval: Duration = .seconds(1)) async throws {
    var last = try? await source.lastChangeByOthers()
    while true {
      try await time.sleep(for: interval)
      // What can't be read now is looked at the next time.
      guard let now = try? await source.lastChangeByOthers(), now != last else { continue }
      if last != nil { reload() }
      last = now
    }
  }

  private func tell(_ change: AirportChange) {
    forgetCountries()
    changes.invokeEach { $0(change) }
  }

  func reload() {
    forgetCountries()
    reloads.invokeEach { $0() }
  }

  private func forgetCountries() {
    countries = []
    countriesAge += 1
  }

  /// The countries that have airports, by name; asked for once, and again after a change.
  func countriesWithAirports() async throws -> [CountryCount] {
    guard countries.isEmpty else { return countries }
    let age = countriesAge
    let read = try await source.directory.countriesWithAirports()
    // Read before a change, it may be no longer so.
    if age == countriesAge { countries = read }
    return read
  }

  /// The countries that an airport may be in, by name: all there are, and those of airports that
  /// are here already.
  func countriesToChoose() async throws -> [CountryCount] {
    let here = try await countriesWithAirports()
    let others = CountryNames.codes.subtracting(here.map(\.code)).map { code in
      CountryCount(code: code, name: Self.names.name(of: code), count: 0)
    }
    return (here + others).sorted { ($0.name, $0.code) < ($1.name, $1.code) }
  }
}

/// That an airport was saved or deleted.
struct AirportChange: Sendable, Equatable {
  /// The code that it had before; nil where it is new.
  let before: String?

  /// What is stored now; nil where it was deleted.
  let record: AirportRecord?
}

/// What a screen is made of, for whoever looks at the screens from outside, such as an inspector.
@MainActor
enum ScreenPart {
  case screen(ScreenModel)
  case list(DirectoryScreen.AirportList)
  case form(FormModel)
}
