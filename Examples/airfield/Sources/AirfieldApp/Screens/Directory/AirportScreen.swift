import Fieldstone
import Observation

/// One airport as a screen, which follows whoever saves it.
@MainActor
@Observable
final class AirportScreen {
  /// The code that was asked for; another one once the airport has another.
  private(set) var icao: String {
    didSet { asked.value = icao }
  }

  /// The code as the screen's model reads it, which must not hold us.
  @ObservationIgnored private let asked: Locked<String>
  @ObservationIgnored private let integrator: Integrator<String, AirportFinding>
  @ObservationIgnored private var registrations: [Registration] = []

  /// Which of its views the screen shows; no results where there is no such airport.
  @ObservationIgnored let screen: ScreenModel

  /// Makes the screen, which loads when it appears.
  init(_ model: AirfieldModel, icao: String, timing: LoadingTiming = .calm) {
    self.icao = icao
    let asked = Locked(icao)
    self.asked = asked
    let integrator = Integrator(
      provider: ClosureProvider { [source = model.source] (icao: String) in
        guard let record = try await source.record(icao: icao) else {
          return AirportFinding(
            deleted: try await source.reaching { try await $0.deleted(icao: icao) })
        }
        return AirportFinding(record: record)
      }, policy: .latest, time: model.time)
    self.integrator = integrator
    screen = ScreenModel(
      integrator, parameters: asked.value, timing: timing, time: model.time
    ) { $0.record == nil }
    model.parts.invokeEach { $0(.screen(screen), "Airport \(icao)") }
    registrations = [
      model.changes.add { [weak self] in self?.take($0) },
      model.reloads.add { [weak self] in self?.reload() },
    ]
  }

  /// The airport, once it was loaded; nil where there is none.
  var record: AirportRecord? { integrator.phase.value?.record }

  /// The airport that had the code until it was deleted, and can be restored; nil where there is none.
  var deleted: Airport? { integrator.phase.value?.deleted }

  var hasLoaded: Bool { integrator.phase.value != nil }

  var error: (any Error)? { integrator.phase.error }

  func appear() { screen.appear() }

  func load() async {
    _ = try? await integrator(icao)
  }

  /// Loads the airport again because any may be another one, where it was loaded yet.
  private func reload() {
    if hasLoaded { screen.refresh() }
  }

  private func take(_ change: AirportChange) {
    let shown = record?.airport.icao ?? icao.uppercased()
    guard change.before == shown || change.record?.airport.icao == shown else { return }
    if let record = change.record { icao = record.airport.icao }
    integrator.receive(
      AirportFinding(record: change.record, deleted: change.record == nil ? record?.airport : nil))
  }
}

/// What there is under a code.
private struct AirportFinding: Sendable, Equatable {
  var record: AirportRecord?
  var deleted: Airport?
}
