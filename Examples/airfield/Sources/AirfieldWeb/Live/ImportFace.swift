import AirfieldScreens

/// The import as a live page.
@MainActor
final class ImportFace: LiveFace {
  private let screen: ImportScreen
  private let settings: SettingsScreen

  init(_ screen: ImportScreen, settings: SettingsScreen) {
    self.screen = screen
    self.settings = settings
  }

  func fragments() -> [Fragment] {
    let view = ImportView(screen: screen, settings: settings.settings, notes: SiteNotes())
    return [
      .part(id: "import-problem", view.problem), .part(id: "import-said", view.said),
      .part(id: "import-head", view.head), .part(id: "import-progress", view.progress),
      .part(id: "import-actions", view.actions), .part(id: "import-rejects", view.rejects),
    ]
  }
}
