public import Foundation

/// The kills that a trial of a flow makes, and its limits.
public struct FlowTrialOptions: Sendable, Hashable {
  /// When each checkpoint's process is killed; both moments by default, empty for the undisturbed
  /// run only.
  public var moments: Set<FlowTrialMoment>

  /// The largest number of kills; 200 by default, and values below zero count as zero.
  ///
  /// If there are more, a selection is made evenly along the path. The report contains the number
  /// of omitted kills.
  public var maximumKills: Int

  /// The largest number of attempts in one run, including those of children; 1,000 by default.
  ///
  /// A flow with more attempts counts as endless. Values below one count as one.
  public var maximumStages: Int

  /// The wall time at which every run begins; 15 January 2027, 08:00 UTC, by default.
  public var beginsAt: Date

  /// Makes options; parameters that are omitted have their defaults.
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

/// When a process is killed: after the work of a stage, and before or after its checkpoint.
public enum FlowTrialMoment: Sendable, Hashable, CaseIterable {
  /// The checkpoint is lost, so the work of the stage runs again.
  case beforeCheckpoint
  /// The checkpoint is made, so the next stage is decoded from the journal.
  case afterCheckpoint
}

/// The stage and moment at which a run is killed.
struct TrialKillPoint: Sendable {
  let stage: FlowTrialStage
  let moment: FlowTrialMoment
}

extension FlowTrialOptions {
  /// The kills to make, and the number of omitted ones.
  func kills(at checkpoints: [FlowTrialStage]) -> (chosen: [TrialKillPoint], leftOut: Int) {
    let order = FlowTrialMoment.allCases.filter(moments.contains)
    let all = checkpoints.flatMap { stage in
      order.map { TrialKillPoint(stage: stage, moment: $0) }
    }
    let count = min(all.count, max(0, maximumKills))
    guard count < all.count else { return (all, 0) }
    // The selection includes the first and the last.
    let chosen = (0..<count).map { index in
      all[count == 1 ? 0 : index * (all.count - 1) / (count - 1)]
    }
    return (chosen, all.count - count)
  }
}
