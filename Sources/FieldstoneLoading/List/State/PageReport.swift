/// What a load brought into a list.
public struct PageReport: Sendable, Hashable, Codable {
  /// How many pages it took; several when some had nothing new, or when all were reloaded.
  public var pageCount: Int

  /// How many items are new; of a reload, how many there are.
  public var addedCount: Int

  /// How many items were there before: they kept their place and took the newer value.
  public var duplicateCount: Int

  /// Makes a report.
  @inlinable
  public init(pageCount: Int = 0, addedCount: Int = 0, duplicateCount: Int = 0) {
    self.pageCount = pageCount
    self.addedCount = addedCount
    self.duplicateCount = duplicateCount
  }

  static func += (report: inout PageReport, other: PageReport) {
    report.pageCount += other.pageCount
    report.addedCount += other.addedCount
    report.duplicateCount += other.duplicateCount
  }
}
