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
