/// What an export writes for a field that is known to be nil.
public enum NilExport: Sendable, Hashable, CaseIterable {
  /// Nothing; an import leaves the field untouched.
  case omitted
  /// Null; an import sets the field to nil.
  case explicit
}
