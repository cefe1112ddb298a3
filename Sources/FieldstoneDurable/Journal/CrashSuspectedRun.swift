/// A crash-suspected run as a journal's claim sees it, and how such runs are grouped.
///
/// Nothing but values: both journals fetch the runs, ask here what is to become of them, and write
/// that down in the same transaction.
package struct CrashSuspectedRun: Sendable, Hashable {
  package var id: RunID
  var flow: String
  var version: Int
  /// How often a worker has died at its stage.
  var crashes: Int
  /// Its group; nil for one that is in none yet.
  package var group: Int?
  /// Whether a worker that lives has it.
  var isHeld: Bool
  /// Whether it is paused, or a limit keeps it from being given.
  package var isPaused: Bool

  package init(
    id: RunID, flow: String, version: Int, crashes: Int, group: Int?, isHeld: Bool = false,
    isPaused: Bool = false
  ) {
    self.id = id
    self.flow = flow
    self.version = version
    self.crashes = crashes
    self.group = group
    self.isHeld = isHeld
    self.isPaused = isPaused
  }
}

extension CrashSuspectedRun {
  /// The groups that the runs of one dead worker come into.
  ///
  /// Those that it has died with for the first time are one group: they may have been stopped from
  /// outside. The members of a group that was tried are halved, so that one that ends its worker is
  /// alone after as many deaths as the logarithm of their number.
  package static func groups(ofDeadWorker runs: [Self]) -> [[Self]] {
    let tried = Dictionary(grouping: runs.sorted { $0.id < $1.id }, by: \.group)
    var groups: [[Self]] = []
    for (group, members) in tried.sorted(by: { ($0.key ?? 0) < ($1.key ?? 0) }) {
      if group == nil || members.count == 1 {
        groups.append(members)
      } else {
        let half = (members.count + 1) / 2
        groups += [Array(members[..<half]), Array(members[half...])]
      }
    }
    return groups
  }

  /// The members of the next group that a worker gets, and which groups are left for it.
  ///
  /// - Parameter runs: all that are in quarantine.
  package static func next(
    of runs: [Self], for request: ClaimRequest
  ) -> (members: [Self], left: Claim.Quarantined) {
    if request.quarantine == .disregarded { return ([], .none) }
    struct Waiting {
      var members: [CrashSuspectedRun]
      var isLone: Bool
      var crashes: Int
      var oldest: RunID
    }
    var waiting: [Waiting] = []
    for group in Dictionary(grouping: runs, by: \.group).values
    where !group.contains(where: \.isHeld) {
      let members = group.sorted { $0.id < $1.id }
      var fitting: [Self] = []
      for room in request.flows {
        let its = members.filter {
          $0.flow == room.flow && $0.version <= room.version && !$0.isPaused
        }
        fitting += its.prefix(max(room.limit, 0))
      }
      if fitting.isEmpty { continue }
      waiting.append(
        Waiting(
          members: fitting.sorted { $0.id < $1.id }, isLone: members.count == 1,
          crashes: members.map(\.crashes).min() ?? 0, oldest: members[0].id))
    }
    waiting.sort { ($0.crashes, $0.oldest) < ($1.crashes, $1.oldest) }
    let index: Int? =
      switch request.quarantine {
      case .disregarded, .left: nil
      case .group: waiting.firstIndex { !$0.isLone }
      case .alone: waiting.isEmpty ? nil : 0
      }
    let given = index.map { waiting.remove(at: $0).members } ?? []
    let left: Claim.Quarantined =
      waiting.isEmpty ? .none : waiting.allSatisfy(\.isLone) ? .lone : .groups
    return (given, left)
  }
}
