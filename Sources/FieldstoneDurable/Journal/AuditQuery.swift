/// A query for audit rows, with the position of a page.
public struct AuditQuery: Sendable, Hashable {
  /// Only changes of this subject; nil for all.
  public var subject: AuditSubject?
  /// Only changes before the one with this number, which is the last of the previous page.
  public var before: Int?
  /// The largest number of rows, from 1 to 1,000; other numbers are clamped.
  public var limit: Int

  /// Makes a query.
  public init(subject: AuditSubject? = nil, before: Int? = nil, limit: Int = 50) {
    self.subject = subject
    self.before = before
    self.limit = limit
  }

  /// The effective limit.
  package var effectiveLimit: Int { min(max(limit, 1), 1_000) }

  /// Whether no subject has such names.
  package var findsNothing: Bool {
    subject.map { !$0.flow.isStorable || !$0.name.isStorable } ?? false
  }
}

/// A page of audit rows, newest first.
public struct AuditPage: Sendable, Hashable {
  /// The rows.
  public var records: [AuditRecord]
  /// The value of ``AuditQuery/before`` for the next page; nil for the last page.
  public var next: Int?

  /// Makes a page.
  public init(records: [AuditRecord], next: Int? = nil) {
    self.records = records
    self.next = next
  }

  /// Makes a page from rows that were fetched with a limit of one more.
  package init(_ found: [AuditRecord], limit: Int) {
    records = Array(found.prefix(limit))
    next = found.count > limit ? records.last?.number : nil
  }
}
