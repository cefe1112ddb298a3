/// A bound that a case has to keep.
public enum Goal: Sendable, Equatable {
  /// At most so many times the group's floor.
  case atMost(Double)
  /// At most so many times another case of the same group.
  case atMostTimes(Double, of: String)
  /// At most so many nanoseconds or bytes, whatever the floor.
  case atMostAbsolute(Double)
  /// Less than every case of the group that is neither the floor nor one of ours.
  case belowEveryPeer
}

extension Goal {
  /// Says whether a case keeps this bound, given the samples of its group.
  ///
  /// A goal that names a case which the group does not have is missed, never skipped.
  func isMet(by row: Row, in group: [Row]) -> Bool {
    switch self {
    case .atMost(let bound):
      return row.ratio <= bound
    case .atMostTimes(let bound, let name):
      guard let other = group.first(where: { $0.name == name }) else { return false }
      return Statistics.medianRatio(row.samples, to: other.samples) <= bound
    case .atMostAbsolute(let bound):
      return row.figure <= bound
    case .belowEveryPeer:
      let peers = group.filter { $0.isPeer }
      return !peers.isEmpty
        && peers.allSatisfy { Statistics.medianRatio(row.samples, to: $0.samples) < 1 }
    }
  }

  /// The bound as the table shows it.
  func text(in unit: Unit) -> String {
    switch self {
    case .atMost(let bound): "≤ \(Format.decimal(bound))×"
    case .atMostTimes(let bound, let name): "≤ \(Format.decimal(bound))× \(name)"
    case .atMostAbsolute(let bound): "≤ \(Format.figure(bound)) \(unit.symbol)"
    case .belowEveryPeer: "< every peer"
    }
  }
}
