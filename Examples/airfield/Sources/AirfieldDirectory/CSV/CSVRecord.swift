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

/// What separates the values of a record.
public enum CSVSeparator: String, Sendable, CaseIterable, Codable {
  case comma, semicolon, tab

  var byte: UInt8 {
    switch self {
    case .comma: UInt8(ascii: ",")
    case .semicolon: UInt8(ascii: ";")
    case .tab: UInt8(ascii: "\t")
    }
  }

  /// The one that a file's first line has most often; a comma where none is in it.
  static func used(in bytes: [UInt8]) -> CSVSeparator {
    let line = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
    let counts = allCases.map { separator in line.count { $0 == separator.byte } }
    guard let most = counts.max(), most > 0, let index = counts.firstIndex(of: most) else {
      return .comma
    }
    return allCases[index]
  }
}

/// What can be wrong with one record while the file around it stays readable.
public enum CSVFault: Sendable, Equatable, Codable {
  /// A quote stands inside a value that does not begin with one.
  case strayQuote

  /// Something other than a comma or a line break follows a closing quote.
  case textAfterQuote

  /// The file ends inside the quotes that were opened on this line.
  case unclosedQuote(line: Int)

  /// The record is longer than the reader's limit of bytes.
  case tooLong(limit: Int)

  /// The fault as a phrase, in the words of the rejects file.
  public var message: String {
    switch self {
    case .strayQuote: "a quote inside a value that is not quoted"
    case .textAfterQuote: "text after a closing quote"
    case .unclosedQuote(let line): "a quote opened on line \(line) that never closes"
    case .tooLong(let limit): "longer than \(limit) bytes"
    }
  }
}

/// What keeps a whole file from being read as CSV.
public enum CSVError: Error, Equatable {
  /// The record that begins on this line holds bytes that are not UTF-8.
  case notUTF8(line: Int)
}
