public import Foundation

/// Which kills a trial of a flow makes, and what is too much for it.
public struct FlowTrialOptions: Sendable, Hashable {
  /// When each checkpoint's process is killed; both unless given, none for the undisturbed run only.
  public var moments: Set<FlowTrialMoment>

  /// How many kills are made at most; 200 unless given, and less than zero counts as zero.
  ///
  /// Of more than that some are chosen, evenly along the path. The report says how many are left out.
  public var maximumKills: Int

  /// How many attempts at stages may begin in one run, those of children included; 1,000 unless given.
  ///
  /// More are taken for a flow without an end. Less than one counts as one.
  public var maximumStages: Int

  /// The wall time at which every run begins; 15 January 2027, 08:00 in UTC, unless given.
  public var beginsAt: Date

  /// Makes options; what is not named stays as it is by default.
  public init(
    moments: Set<FlowTrialMoment> = Set(FlowTrialMoment.allCases), maximumKills: Int = 200,
    maximumStages: Int = 1_000, beginsAt: Date = Date(timeIntervalSince1970: 1_800_000_000)
  ) {
    self.moments = moments
    self.maximumKills = maximumKills
    self.maximumStages = maximumStages
    self.beginsAt = beginsAt
  }
}

/// When a process is killed: the work of a stage is done, and its checkpoint is made or not.
public enum FlowTrialMoment: String, Sendable, Hashable, CaseIterable {
  /// The checkpoint is lost, so the work of the stage runs again.
  case beforeCheckpoint
  /// The checkpoint is made, so the next stage is read from the journal.
  case afterCheckpoint
}

/// Where and when a run is to be killed.
struct TrialKillPoint: Sendable {
  let stage: FlowTrialStage
  let moment: FlowTrialMoment
}

extension FlowTrialOptions {
  /// The kills that are made, and how many are not.
  func kills(at checkpoints: [FlowTrialStage]) -> (chosen: [TrialKillPoint], leftOut: Int) {
    let order = FlowTrialMoment.allCases.filter(moments.contains)
    let all = checkpoints.flatMap { stage in
      order.map { TrialKillPoint(stage: stage, moment: $0) }
    }
    let count = min(all.count, max(0, maximumKills))
    guard count < all.count else { return (all, 0) }
    // The first and the last are among them.
    let chosen = (0..<count).map { index in
      all[count == 1 ? 0 : index * (all.count - 1) / (count - 1)]
    }
    return (chosen, all.count - count)
  }
}
