/// The names and values of a query or of a posted form.
public struct FormValues: Sendable {
  /// The decoded names and values, in their order.
  public let pairs: [(name: String, value: String)]

  /// The most pairs that are read.
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

  /// The first value of a name that is not empty; nil when there is none.
  public subscript(name: String) -> String? {
    pairs.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name.
  package func all(_ name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  /// A path with names and values behind it.
  public static func address(_ path: String, _ values: [(String, String)]) -> String {
    guard !values.isEmpty else { return path }
    return path + "?"
      + values.map { PercentCoding.encode($0) + "=" + PercentCoding.encode($1) }
      .joined(separator: "&")
  }
}
