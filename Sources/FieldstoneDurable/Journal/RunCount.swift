/// A number of runs that was counted up to a limit.
public struct RunCount: Sendable, Hashable {
  /// The number of counted runs.
  public var number: Int
  /// Whether there are more.
  public var hasMore: Bool

  /// Makes a count.
  public init(_ number: Int, hasMore: Bool = false) {
    self.number = number
    self.hasMore = hasMore
  }

  /// Makes a count from a search with a limit of one more.
  package init(found: Int, atMost limit: Int) {
    self.init(min(found, limit), hasMore: found > limit)
  }

  /// The number with thousands separators, and a plus if there are more: 10,000+.
  public var description: String {
    var digits = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return String(digits.reversed()) + (hasMore ? "+" : "")
  }

  /// The default limit of a count.
  package static var usualLimit: Int { 10_000 }
}

extension RunCount: CustomStringConvertible {}

/// The dead and blocked runs whose errors have the same fingerprint.
public struct ErrorGroup: Sendable, Hashable, Identifiable {
  /// The fingerprint of their errors.
  public var fingerprint: ErrorFingerprint
  /// The number of runs, counted up to 10,000.
  public var runs: RunCount
  /// The youngest run.
  public var youngest: RunID
  /// The error of the youngest run.
  public var sample: String

  /// The fingerprint.
  public var id: ErrorFingerprint { fingerprint }

  /// Makes a group.
  public init(
    fingerprint: ErrorFingerprint, runs: RunCount, youngest: RunID, sample: String
  ) {
    self.fingerprint = fingerprint
    self.runs = runs
    self.youngest = youngest
    self.sample = sample
  }

  /// The largest number of different fingerprints that are counted.
  package static let mostCounted = 1_000
}

extension [ErrorFingerprint: ErrorGroup] {
  /// Counts a dead or blocked run in the group of its error, and leaves out others.
  ///
  /// O(length of the error).
  package mutating func add(_ run: RunRecord) {
    guard run.state == .dead || run.state == .blocked, let error = run.error else { return }
    add(run, ErrorFingerprint(of: error))
  }

  /// Counts a run in a group.
  mutating func add(_ run: RunRecord, _ fingerprint: ErrorFingerprint) {
    var group =
      self[fingerprint]
      ?? ErrorGroup(
        fingerprint: fingerprint, runs: RunCount(0), youngest: run.id, sample: run.error ?? "")
    group.runs.number += 1
    if run.id > group.youngest { (group.youngest, group.sample) = (run.id, run.error ?? "") }
    self[fingerprint] = group
  }
}

extension Collection<ErrorGroup> {
  /// The groups with the most runs, in order; of equal groups the one with the youngest run first.
  package func mostFrequent(_ limit: Int) -> [ErrorGroup] {
    let sorted = sorted { ($0.runs.number, $0.youngest) > ($1.runs.number, $1.youngest) }
    return Array(sorted.prefix(Swift.max(limit, 0)))
  }
}
