/// One record of a CSV file, with where it stood.
public struct CSVRecord: Sendable, Equatable, Codable {
  /// The record's position among the records of the file, from 1; blank lines do not count.
  public let number: Int

  /// The line on which the record begins, from 1; a record may span several.
  public let line: Int

  /// The values, unquoted; empty where the record has a fault.
  public let fields: [String]

  /// What keeps the record from being read, if anything does.
  public let fault: CSVFault?

  /// Makes a record.
  public init(number: Int, line: Int, fields: [String], fault: CSVFault? = nil) {
    self.number = number
    self.line = line
    self.fields = fields
    self.fault = fault
  }
}
