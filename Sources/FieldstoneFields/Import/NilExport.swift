/// What an export writes for a field that is known to be nil.
public enum NilExport: Sendable, Hashable, CaseIterable {
  /// Nothing; whoever imports it leaves the field untouched.
  case omitted
  /// Null; whoever imports it sets the field to nil.
  case explicit
}
