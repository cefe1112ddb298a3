/// Which airports are asked for: what was typed, and what they are narrowed down to.
public struct AirportQuery: Sendable, Hashable {
  /// What somebody typed; nil for nothing.
  public var search: AirportSearch?

  /// The two-letter code of the only country asked for.
  public var country: String?

  /// The only kind of code asked for.
  public var kind: CodeKind?

  /// Makes a query; without anything it asks for all airports.
  public init(search: AirportSearch? = nil, country: String? = nil, kind: CodeKind? = nil) {
    self.search = search
    self.country = country
    self.kind = kind
  }

  /// Whether it asks for all airports.
  public var isForAll: Bool { self == AirportQuery() }
}
