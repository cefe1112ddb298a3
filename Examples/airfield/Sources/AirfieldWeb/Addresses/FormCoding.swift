/// Names and values as addresses and posted forms have them.
enum FormCoding {
  /// How many there may be; the rest is left aside.
  private static let limit = 256

  /// Names and values in their order.
  static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&", maxSplits: limit).prefix(limit).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        PercentCoding.decode(Substring(parts[0]), plusIsBlank: true),
        parts.count > 1 ? PercentCoding.decode(Substring(parts[1]), plusIsBlank: true) : ""
      )
    }
  }

  /// The values by name; of a name that comes twice, the first.
  static func values(_ text: some StringProtocol) -> [String: String] {
    Dictionary(pairs(text).map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// An address with values.
  static func address(_ path: String, _ values: [(String, String)]) -> String {
    guard !values.isEmpty else { return path }
    return path + "?"
      + values.map { $0 + "=" + PercentCoding.encode($1) }.joined(separator: "&")
  }
}
