import AirfieldScreens

/// The nightly export as a live page.
@MainActor
final class NightlyFace: LiveFace {
  private let screen: NightlyScreen

  init(_ screen: NightlyScreen) {
    self.screen = screen
  }

  func fragments() -> [Fragment] {
    NightlyView(screen: screen, theme: .system, notes: SiteNotes()).parts.map {
      .part(id: $0.id, $0.html)
    }
  }
}
