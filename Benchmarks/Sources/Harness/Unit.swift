/// What the figures of a group count.
public enum Unit: Sendable {
  /// Time per operation.
  case nanoseconds
  /// Live heap per object.
  case bytes

  /// The unit's abbreviation in the table.
  public var symbol: String {
    switch self {
    case .nanoseconds: "ns"
    case .bytes: "B"
    }
  }
}
