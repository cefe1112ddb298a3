/// A crash-suspected run in a journal's claim, with the rules for grouping such runs.
///
/// It contains only values: both journals fetch the runs, apply these rules, and write the result
/// in the same transaction.
package struct CrashSuspectedRun: Sendable, Hashable {
  package var id: RunID
  var flow: String
  var version: Int
  /// The number of worker deaths at its stage.
  var crashes: Int
  /// Its group; nil before it has one.
  package var group: Int?
  /// Whether a living worker holds it.
  var isHeld: Bool
  /// Whether it is paused, or held back by a limit.
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
  /// The new groups of a dead worker's runs.
  ///
  /// Runs that crashed for the first time form one group: the worker may have been stopped from
  /// outside. The members of a group on trial are halved. So a run that ends its worker is alone
  /// after log₂ n deaths in a group of n.
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

  /// The members of the next group for a worker, and the kinds of groups that are left.
  ///
  /// - Parameter runs: all runs in quarantine.
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
