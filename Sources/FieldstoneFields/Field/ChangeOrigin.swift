/// Where a change of a field came from.
public enum ChangeOrigin: Sendable, Hashable {
  /// No change: the first call of a new observer.
  case registration
  /// Code that set the value.
  case code
  /// The person at the screen.
  case user
  /// Another field or object that the field is bound to.
  case binding
  /// The fields that a derived field is made from.
  case derivation
  /// Imported or decoded data.
  case importing
  /// Undo, redo or reset.
  case restoring
}
