/// The names and values of a query or of a posted form.
public struct FormValues: Sendable {
  /// The decoded names and values, in order.
  public let pairs: [(name: String, value: String)]

  /// Reads the pairs of a text.
  ///
  /// O(n), and 32 bytes for a pair: the server bounds the text, as a pair that was left out would
  /// be a value that the user has cleared.
  public init(_ text: some StringProtocol) {
    // By bytes: a combining mark after a separator is one character with it.
    pairs = Array(text.utf8).split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
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
