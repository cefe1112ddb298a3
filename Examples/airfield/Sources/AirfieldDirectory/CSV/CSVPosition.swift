/// A place in a CSV file at which a record begins: a ``CSVReader`` can go on from there.
public struct CSVPosition: Sendable, Equatable, Codable {
  /// How many bytes stand before it.
  public let offset: Int

  /// How many records stand before it; blank lines do not count.
  public let records: Int

  /// The line that begins there, from 1.
  public let line: Int

  /// Whether it stands behind a carriage return, so that a line feed there ends no line.
  public let isAfterReturn: Bool

  /// The beginning of a file.
  public static let start = CSVPosition(offset: 0, records: 0, line: 1, isAfterReturn: false)
}
