/// The names and values of a query or of a posted form.
public struct FormValues: Sendable {
  /// The decoded names and values, in order.
  public let pairs: [(name: String, value: String)]

  /// The maximum number of pairs to read.
  private static let limit = 256

  /// Reads the first 256 pairs of a text and ignores the rest.
  public init(_ text: some StringProtocol) {
    pairs = text.split(separator: "&", maxSplits: Self.limit).prefix(Self.limit).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (
        PercentCoding.decode(parts[0], plusIsBlank: true),
        parts.count > 1 ? PercentCoding.decode(parts[1], plusIsBlank: true) : ""
      )
    }
  }

  /// The first non-empty value of a name; nil if there is none.
  public subscript(name: String) -> String? {
    pairs.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name.
  package func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  /// A path with a query of names and values.
  public static func address(_ path: String, _ values: [(String, String)]) -> String {
    guard !values.isEmpty else { return path }
    return path + "?"
      + values.map { PercentCoding.encode($0) + "=" + PercentCoding.encode($1) }
      .joined(separator: "&")
  }
}
