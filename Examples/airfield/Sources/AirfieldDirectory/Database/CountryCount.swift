/// A country, and how many airports it has.
public struct CountryCount: Sendable, Equatable {
  /// Its two-letter code (ISO 3166-1).
  public let code: String

  /// Its English name.
  public let name: String

  /// How many airports it has.
  public let count: Int

  /// Makes a country.
  public init(code: String, name: String, count: Int) {
    self.code = code
    self.name = name
    self.count = count
  }
}
