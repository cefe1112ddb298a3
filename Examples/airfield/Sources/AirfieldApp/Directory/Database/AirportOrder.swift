/// What airports are listed by, where it is neither their name nor how much they are what was
/// searched for.
struct AirportOrder: Sendable, Hashable {
  enum Column: String, Sendable, CaseIterable {
    case name
    case city
    case country
    case icao
    case iata
  }

  /// What is compared first; airports that have the same stand by name.
  let column: Column

  /// Whether the last comes first; airports that have nothing there stand at the end all the same.
  let isDescending: Bool

  init(_ column: Column, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }

  /// The order that a text names, as in `city` and `-city`; nil where it names none.
  init?(_ text: String) {
    let isDescending = text.hasPrefix("-")
    guard let column = Column(rawValue: String(text.dropFirst(isDescending ? 1 : 0))) else {
      return nil
    }
    self.init(column, isDescending: isDescending)
  }

  /// The order as an address names it.
  var text: String { (isDescending ? "-" : "") + column.rawValue }

  /// What an order compares first, as an expression in SQL; the empty text where there is none.
  static func key(of order: AirportOrder?) -> String {
    switch order?.column {
    case nil: "''"
    case .name: "sortName"
    case .city: "sortCity"
    case .country: "folded(countryName)"
    case .icao: "icao"
    case .iata: "ifnull(iata, '')"
    }
  }

  /// The terms that sort rows in SQL.
  static func terms(of order: AirportOrder?) -> String {
    guard let order else { return "sortName, icao" }
    let key = key(of: order)
    return "\(key) = '', \(key)\(order.isDescending ? " DESC" : ""), sortName, icao"
  }

  /// Whether a row comes after the one of which key, name and code are given, as a condition in SQL.
  static func isAfter(in order: AirportOrder?) -> String {
    let key = key(of: order)
    let sign = order?.isDescending ?? false ? "<" : ">"
    return """
      (\(key) = '') > (?1 = '') OR ((\(key) = '') = (?1 = '')
        AND (\(key) \(sign) ?1 OR (\(key) = ?1 AND (sortName, icao) > (?2, ?3))))
      """
  }
}
