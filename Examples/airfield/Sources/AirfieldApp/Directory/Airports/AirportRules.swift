/// What an airport may have in its columns: one set of rules for files and for the form.
enum AirportRules {
  static let elevations = -2_000.0...30_000.0
  static let latitudes = -90.0...90.0
  static let longitudes = -180.0...180.0
  static let icaoForm = "four of A-Z, 0-9 and _"
  static let iataForm = "three of A-Z and 0-9"
  static let countryForm = "two of A-Z"

  static func longest(_ column: AirportColumn) -> Int {
    column == .lid ? 20 : 200
  }

  static func isICAO(_ text: String) -> Bool {
    text.utf8.count == 4 && text.utf8.allSatisfy { isCapital($0) || $0 == UInt8(ascii: "_") }
  }

  static func isIATA(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy(isCapital)
  }

  static func isCountry(_ text: String) -> Bool {
    text.utf8.count == 2
      && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
  }

  /// Whether a text shows nothing: blanks of any script, and characters without a width.
  static func isBlank(_ text: String) -> Bool {
    // Most texts begin with a letter.
    if let first = text.utf8.first, first > UInt8(ascii: " "), first < 0x7F { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a text is within its column's limit, in characters and in what they are made of.
  static func fits(_ text: String, in column: AirportColumn) -> Bool {
    let limit = longest(column)
    if text.utf8.count <= limit { return true }
    return text.count <= limit && text.unicodeScalars.count <= 10 * limit + 32
  }

  /// Whether a text holds a control character other than a tab or a line break.
  static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar {
      case "\t", "\n", "\r": false
      default: scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
      }
    }
  }

  /// Whether a place is the one where files without coordinates put their airports.
  static func isNowhere(latitude: Double, longitude: Double) -> Bool {
    latitude == 0 && longitude == 0
  }

  private static func isCapital(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}
