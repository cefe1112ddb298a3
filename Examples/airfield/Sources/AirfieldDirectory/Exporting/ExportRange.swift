/// Where the airports of a page lie: behind one row of the table, and up to another.
///
/// Both are fixed before the page is read, so that it has the same airports each time.
struct ExportRange: Sendable, Equatable, Codable {
  /// The number of the row before the first.
  let after: Int64

  /// The number of the last row.
  let through: Int64

  /// The number of the last row of the whole export; what was stored later is not in it.
  let end: Int64

  /// Whether no page follows.
  var isLast: Bool { through == end }
}
