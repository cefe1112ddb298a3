/// Which airports are asked for: what was typed, and what they are narrowed down to.
public struct AirportQuery: Sendable, Hashable {
  /// What somebody typed; nil for nothing.
  public var search: AirportSearch?

  /// The two-letter code of the only country asked for.
  public var country: String?

  /// The only kind of code asked for.
  public var kind: CodeKind?

  /// What they are listed by; nil for how much they are what was searched for, and then by name.
  public var order: AirportOrder?

  /// Makes a query; without anything it asks for all airports.
  public init(
    search: AirportSearch? = nil, country: String? = nil, kind: CodeKind? = nil,
    order: AirportOrder? = nil
  ) {
    self.search = search
    self.country = country
    self.kind = kind
    self.order = order
  }

  /// Whether it asks for all airports, in any order.
  public var isForAll: Bool { unordered == AirportQuery() }

  /// The same airports in the order that nobody has asked for.
  public var unordered: AirportQuery { AirportQuery(search: search, country: country, kind: kind) }
}
