import AirfieldScreens

/// One tab of a browser, with the view models that live for it.
@MainActor
final class Visitor {
  /// The view models.
  enum Content {
    case directory(DirectoryScreen)
    case airport(AirportScreen)
    case edit(AirportEditScreen)
    case importing(ImportScreen)
    case nightly(NightlyScreen)
    case other
  }

  /// Who it is: nobody can guess it, so whoever knows it is this tab.
  let id: String
  let content: Content

  /// How long it is remembered while nobody is connected.
  private(set) var patience: Duration

  /// When it was heard of last, by the time since boot.
  var lastSeen: Duration

  /// How many streams of events it has open.
  var streams = 0

  /// Whose turn it is to change what it edits: a double click posts twice at once.
  let turns = Turns()

  init(id: String, content: Content, patience: Duration, at uptime: Duration) {
    self.id = id
    self.content = content
    self.patience = patience
    lastSeen = uptime
  }

  /// Has nothing more to lose: it is remembered no longer than this.
  func settle(for patience: Duration) { self.patience = min(self.patience, patience) }

  /// Whether it may be forgotten.
  func isGone(at uptime: Duration) -> Bool {
    streams == 0 && uptime >= lastSeen + patience
  }
}
