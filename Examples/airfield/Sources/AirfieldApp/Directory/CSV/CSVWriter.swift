/// Writes records as RFC 4180 has them, with quotes only where a value needs them.
enum CSVWriter {
  static func line(_ values: [String]) -> String {
    // A single empty value would be a blank line, which readers pass over.
    if values == [""] { return "\"\"\r\n" }
    return values.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ value: String) -> String {
    guard value.utf8.contains(where: isReserved) else { return value }
    // By scalars: a quote with a combining mark is another character, and still a quote.
    var quoted = "\""
    for scalar in value.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  private static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
    default: false
    }
  }
}
