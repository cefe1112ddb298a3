/// How far a load has come.
public enum LoadProgress: Sendable, Hashable, Codable {
  /// It is under way, and how far is unknown.
  case indeterminate
  /// The part that is done, from 0 to 1.
  case fraction(Double)
}
