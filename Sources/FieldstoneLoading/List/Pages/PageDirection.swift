/// One of the two edges of a list, and the way to it.
public enum PageDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// Towards the end: pages are appended.
  case next
  /// Towards the start: pages are prepended.
  case previous

  @inlinable
  var opposite: PageDirection {
    switch self {
    case .next: .previous
    case .previous: .next
    }
  }
}
