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

/// Where a wave of bound fields began and when, so that it is known again when it comes back.
@usableFromInline
struct FieldWave: Sendable {
  @usableFromInline let root: ObjectIdentifier?

  /// When it began by the system's clock, in seconds since the reference date.
  ///
  /// All fields without a time source of their own share the reading. Not a number where the first
  /// one has one.
  @usableFromInline let systemStamp: Double

  @inlinable
  init(root: ObjectIdentifier?, systemStamp: Double) {
    self.root = root
    self.systemStamp = systemStamp
  }
}
