/// What a whole export came to.
public struct ExportSummary: Sendable, Equatable, Codable {
  /// Where it went.
  public let target: ExportTarget

  /// How many airports it has.
  public let rows: Int

  /// How many pages it had.
  public let pages: Int
}
