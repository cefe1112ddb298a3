public import AirfieldDirectory
public import Fieldstone
public import Foundation

/// What all screens share: where airports come from, the settings, the faults, and who hears of
/// saved airports.
@MainActor
public final class AirfieldModel {
  /// Where airports come from, with the faults that are switched on.
  public let source: any AirportSource

  /// The faults.
  public let faults: FaultPanel

  /// The settings.
  public let settings: SettingsScreen

  /// Who hears of airports that were saved, in the order in which they were.
  public let changes = Multicast<(AirportChange) -> Void>()

  /// Who hears that many airports may be other ones, as after an import.
  public let reloads = Multicast<() -> Void>()

  /// Who hears what screens are made of, as they are made, with a name to show.
  public let parts = Multicast<(ScreenPart, _ name: String) -> Void>()

  /// Forces what loads of screens come to that are made from now on; nil where nothing does.
  public var forcing: (any LoadForcing)?

  /// Importing a file; nil where nothing takes files in.
  public private(set) var importing: ImportScreen?

  /// The nightly export; nil where nothing makes one.
  public let nightly: NightlyScreen?

  /// The clock of all screens.
  public let time: TimeSource

  /// The countries to choose from, once somebody has asked.
  private var countries: [CountryCount] = []
  private static let names = CountryNames()

  /// Makes the model.
  ///
  /// - Parameters:
  ///   - source: where airports come from.
  ///   - settings: the file that keeps the settings.
  ///   - imports: what takes files in and imports them, where something does.
  ///   - nightly: what makes the nightly export, where something does.
  ///   - time: the clock of all screens.
  public init(
    source: some AirportSource, settings: URL, imports: (any AirportImports)? = nil,
    nightly: NightlyExports? = nil, time: TimeSource = .system
  ) {
    let faults = FaultPanel()
    self.faults = faults
    self.nightly = nightly.map { exports in
      NightlyScreen(exports) { [switches = faults.switches] in
        _ = try await switches.reached(by: time)
      }
    }
    self.source = FaultySource(base: source, faults: faults.switches, time: time)
    self.settings = SettingsScreen(file: settings, time: time)
    self.time = time
    importing = imports.map { imports in
      ImportScreen(FaultyImports(base: imports, faults: faults.switches, time: time)) {
        [weak self] in self?.reload()
      }
    }
  }

  /// Saves an airport, and tells everybody who listens.
  public func save(
    _ airport: Airport, replacing code: String?, basedOn revision: Int?
  ) async throws -> AirportRecord {
    let record = try await source.save(airport, replacing: code, basedOn: revision)
    if code == nil || !countries.contains(where: { $0.code == airport.country }) { countries = [] }
    changes.invokeEach { $0(AirportChange(before: code, record: record)) }
    return record
  }

  /// Deletes an airport, and tells everybody who listens.
  public func delete(icao: String, basedOn revision: Int) async throws {
    let record = try await source.delete(icao: icao, basedOn: revision)
    countries = []
    changes.invokeEach { $0(AirportChange(before: record.airport.icao, record: nil)) }
  }

  /// Puts an airport back that was deleted, and tells everybody who listens.
  public func restore(icao: String) async throws -> AirportRecord {
    let record = try await source.restore(icao: icao)
    countries = []
    changes.invokeEach { $0(AirportChange(before: nil, record: record)) }
    return record
  }

  /// Looks for what other processes change, as an import from the command line does, and has all
  /// screens load again then; until the task is cancelled.
  ///
  /// - Parameter interval: how long it waits between two looks.
  public func followOthers(every interval: Duration = .seconds(1)) async throws {
    var last = try? await source.lastChangeByOthers()
    while true {
      try await time.sleep(for: interval)
      // What can't be read now is looked at the next time.
      guard let now = try? await source.lastChangeByOthers(), now != last else { continue }
      if last != nil { reload() }
      last = now
    }
  }

  private func reload() {
    countries = []
    reloads.invokeEach { $0() }
  }

  /// The countries that have airports, by name; asked for once, and again after one was added.
  public func countriesWithAirports() async throws -> [CountryCount] {
    if countries.isEmpty { countries = try await source.countriesWithAirports() }
    return countries
  }

  /// The countries that an airport may be in, by name: all there are, and those of airports that
  /// are here already.
  public func countriesToChoose() async throws -> [CountryCount] {
    let here = try await countriesWithAirports()
    let others = CountryNames.codes.subtracting(here.map(\.code)).map { code in
      CountryCount(code: code, name: Self.names.name(of: code), count: 0)
    }
    return (here + others).sorted { ($0.name, $0.code) < ($1.name, $1.code) }
  }
}

/// That an airport was saved or deleted.
public struct AirportChange: Sendable, Equatable {
  /// The code that it had before; nil where it is new.
  public let before: String?

  /// What is stored now; nil where it was deleted.
  public let record: AirportRecord?

  /// Makes a change.
  public init(before: String?, record: AirportRecord?) {
    self.before = before
    self.record = record
  }
}

/// What a screen is made of, for whoever looks at the screens from outside, such as an inspector.
@MainActor
public enum ScreenPart {
  /// Which view a screen shows.
  case screen(ScreenModel)
  /// The airports of a search.
  case list(DirectoryScreen.AirportList)
  /// What is edited.
  case form(FormModel)
}
