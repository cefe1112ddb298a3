/// What became of the fields of a model, and of the keys of what was imported.
public struct ImportReport: Sendable, Hashable {
  /// The keys of the fields that have their value now, in the fields' order.
  public var imported: [String]

  /// The keys of the fields that were left as they are: absent, or fields that can't be set.
  public var untouched: [String]

  /// The keys that belong to no field, sorted.
  public var unknown: [String]

  /// What was refused, in the fields' order; each path begins with the field's key.
  public var issues: [FieldIssue]

  /// Makes a report; empty unless given.
  public init(
    imported: [String] = [], untouched: [String] = [], unknown: [String] = [],
    issues: [FieldIssue] = []
  ) {
    self.imported = imported
    self.untouched = untouched
    self.unknown = unknown
    self.issues = issues
  }
}

/// What became of a field in an import.
public enum FieldImportResult: Sendable, Hashable {
  /// It has the value, or nil where there was null.
  case imported
  /// Nothing was there for it, or it can't be set; it is as it was.
  case untouched
  /// The value was refused and the field's own kept; the field has the issue, too.
  case refused(FieldIssue)
}

/// What an export writes for a field that is known to be nil.
public enum NilExport: Sendable, Hashable, CaseIterable {
  /// Nothing; an import leaves the field untouched.
  case omitted
  /// Null; an import sets the field to nil.
  case explicit
}
