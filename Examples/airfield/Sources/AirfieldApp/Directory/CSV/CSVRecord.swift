/// One record of a CSV file, with where it stood.
struct CSVRecord: Sendable, Equatable, Codable {
  /// The record's position among the records of the file, from 1; blank lines do not count.
  let number: Int

  /// The line on which the record begins, from 1; a record may span several.
  let line: Int

  /// The values, unquoted; empty where the record has a fault.
  let fields: [String]

  /// What keeps the record from being read, if anything does.
  var fault: CSVFault?
}

/// A place in a CSV file at which a record begins: a ``CSVReader`` can go on from there.
struct CSVPosition: Sendable, Equatable, Codable {
  let offset: Int

  /// How many records stand before it; blank lines do not count.
  let records: Int
  let line: Int

  /// Whether it stands behind a carriage return, so that a line feed there ends no line.
  let isAfterReturn: Bool
  static let start = CSVPosition(offset: 0, records: 0, line: 1, isAfterReturn: false)
}

enum CSVSeparator: String, Sendable, CaseIterable, Codable {
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
enum CSVFault: Sendable, Equatable, Codable {
  case strayQuote
  case textAfterQuote
  case unclosedQuote(line: Int)
  case tooLong(limit: Int)

  /// The fault as a phrase, in the words of the rejects file.
  var message: String {
    switch self {
    case .strayQuote: "a quote inside a value that is not quoted"
    case .textAfterQuote: "text after a closing quote"
    case .unclosedQuote(let line): "a quote opened on line \(line) that never closes"
    case .tooLong(let limit): "longer than \(limit) bytes"
    }
  }
}

/// What keeps a whole file from being read as CSV.
enum CSVError: Error, Equatable {
  /// The record that begins on this line holds bytes that are not UTF-8.
  case notUTF8(line: Int)
}
