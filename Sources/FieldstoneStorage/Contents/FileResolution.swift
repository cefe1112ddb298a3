/// What to do about a file that is corrupt, unreadable or newer.
public enum FileResolution: Sendable, Hashable, CaseIterable {
  /// Begin without it: it is kept under another name beside its place, and nothing is there then.
  case startOver
  /// Look again: a corrupt file that was set aside goes back to its place first.
  case tryAgain
}
