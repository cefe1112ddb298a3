/// What became of a field in an import.
public enum FieldImportResult: Sendable, Hashable {
  /// It has the value, or nil where there was null.
  case imported
  /// Nothing was there for it, or it can't be set; it is as it was.
  case untouched
  /// The value was refused and the field's own kept; the field has the issue, too.
  case refused(FieldIssue)
}
