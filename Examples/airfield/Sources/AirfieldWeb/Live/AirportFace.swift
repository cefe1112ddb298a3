import AirfieldScreens
import Fieldstone

/// An airport as a live page.
@MainActor
final class AirportFace: LiveFace {
  private let screen: AirportScreen
  private let model: AirfieldModel
  private let countryName: @Sendable (String) -> String

  init(
    _ screen: AirportScreen, _ model: AirfieldModel,
    countryName: @escaping @Sendable (String) -> String
  ) {
    self.screen = screen
    self.model = model
    self.countryName = countryName
  }

  func fragments() -> [Fragment] {
    guard screen.record != nil || screen.deleted != nil else { return [] }
    let view = AirportView(
      screen: screen, settings: model.settings.settings, notes: SiteNotes(model),
      now: model.time.now, countryName: countryName)
    return [.part(id: "airport", view.article)]
  }
}
