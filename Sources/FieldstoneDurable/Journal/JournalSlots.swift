/// The slots of runs that a journal owns when runs are spread over several journals.
///
/// A run's slot is a number from 0 to 65,535 in its identifier. Each slot belongs to exactly one
/// journal of the set.
public struct JournalSlots: Sendable, Hashable, Codable {
  /// Names the set of journals that share the slots.
  public var group: String
  /// The slots, as sorted ranges that do not touch each other.
  public private(set) var ranges: [ClosedRange<UInt16>]
  /// The names of the flows whose runs all are on one journal of the set, sorted.
  public var flowsOnOneShard: [String]

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - group: names the set.
  ///   - ranges: the slots, in any order.
  ///   - flows: the flows whose runs all are on one journal, in any order.
  public init(
    group: String, ranges: [ClosedRange<UInt16>], flowsOnOneShard flows: some Sequence<String> = []
  ) {
    self.group = group
    self.ranges = Self.united(ranges)
    flowsOnOneShard = flows.sorted()
  }

  /// All slots.
  public static var all: [ClosedRange<UInt16>] { [0...UInt16.max] }

  /// Whether a slot is owned; O(n) in the number of ranges.
  public func contains(_ slot: UInt16) -> Bool { ranges.contains { $0.contains(slot) } }
}

extension JournalSlots {
  /// The sorted ranges, with overlapping and touching ranges merged.
  package static func united(_ ranges: [ClosedRange<UInt16>]) -> [ClosedRange<UInt16>] {
    var united: [ClosedRange<UInt16>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = united.last, Int(range.lowerBound) <= Int(last.upperBound) + 1 {
        united[united.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        united.append(range)
      }
    }
    return united
  }

  /// The difference of two sets of ranges.
  package static func subtracting(
    _ others: [ClosedRange<UInt16>], from ranges: [ClosedRange<UInt16>]
  ) -> [ClosedRange<UInt16>] {
    var rest = united(ranges)
    for other in united(others) {
      rest = rest.flatMap { range -> [ClosedRange<UInt16>] in
        guard range.overlaps(other) else { return [range] }
        var parts: [ClosedRange<UInt16>] = []
        if range.lowerBound < other.lowerBound {
          parts.append(range.lowerBound...(other.lowerBound - 1))
        }
        if range.upperBound > other.upperBound {
          parts.append((other.upperBound + 1)...range.upperBound)
        }
        return parts
      }
    }
    return rest
  }

  /// The ranges as text: `0-9, 32768-65535`.
  package static func text(_ ranges: [ClosedRange<UInt16>]) -> String {
    if ranges.isEmpty { return "none" }
    return ranges.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }.joined(separator: ", ")
  }

  /// The record with other slots.
  package func owning(_ ranges: [ClosedRange<UInt16>]) -> Self {
    Self(group: group, ranges: ranges, flowsOnOneShard: flowsOnOneShard)
  }
}

extension Journal {
  /// None: a journal without this requirement takes runs of all slots.
  public func slots() async throws -> JournalSlots? { nil }

  /// Throws, because a journal without this requirement has no record of slots.
  ///
  /// - Throws: `JournalError.noSlots`.
  public func setSlots(from old: JournalSlots?, to new: JournalSlots) async throws -> Bool {
    throw JournalError.noSlots
  }
}
