import FieldstoneCore
import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// What a trial of a flow has found: its path and end when undisturbed, and one entry a kill.
public struct FlowTrialReport: Sendable {
  /// The stages that the undisturbed run and its children came to, in the order in which their work began.
  public let path: [FlowTrialStage]
  /// How the undisturbed run ended.
  public let outcome: FlowTrialOutcome
  /// What it left behind, by ``FlowTrial/comparing(_:)``; nil when nothing is compared.
  public let effects: String?
  /// How many checkpoints it made, with those of its children.
  public let checkpoints: Int
  /// How much time was skipped from its start to its end.
  public let skippedTime: Duration
  /// The runs that were killed, in the order of the path.
  public let kills: [FlowTrialKill]
  /// How many kills the options have left out.
  public let killsLeftOut: Int

  let transitions: [TrialTransition]

  init(_ run: TrialResult, kills: [FlowTrialKill], leftOut: Int) {
    path = run.path
    outcome = run.outcome
    effects = run.effects?.description
    checkpoints = run.checkpoints.count
    skippedTime = run.skippedTime
    transitions = run.transitions
    self.kills = kills
    killsLeftOut = leftOut
  }

  /// Whether every killed run came to the same outcome as the undisturbed one, and left the same behind.
  public var endsAlike: Bool { kills.allSatisfy(\.endsAlike) }

  /// The kills after which the run ended otherwise.
  public var differences: [FlowTrialKill] { kills.filter { !$0.endsAlike } }

  /// The stages whose work ran again because of some kill, in the order of the path, with the highest
  /// count of any kill.
  public var repeated: [FlowTrialStage] {
    var stages: [FlowTrialStage] = []
    var places: [FlowTrialStage.Place: Int] = [:]
    for stage in kills.flatMap(\.repeated) {
      if let index = places[stage.place] {
        if stage.beginnings > stages[index].beginnings { stages[index] = stage }
      } else {
        places[stage.place] = stages.count
        stages.append(stage)
      }
    }
    return stages
  }

  /// The flow's cases as this run came to them, as Mermaid draws them; ``FlowDiagram`` draws several.
  public var diagram: String { FlowDiagram([self]).mermaid }
}

extension FlowTrialReport: CustomStringConvertible {
  /// The end, the path, the differences, and what ran again, each on lines of its own.
  public var description: String {
    let seconds = skippedTime / .seconds(1)
    let left = killsLeftOut == 0 ? "" : ", \(killsLeftOut) more left out"
    var lines = ["\(outcome)"]
    if let effects { lines.append("effects: \(effects)") }
    lines.append("path: " + path.map(\.description).joined(separator: ", "))
    lines.append(
      "\(checkpoints) checkpoints, \(StageText.duration(seconds)) skipped, \(kills.count) kills\(left)"
    )
    for kill in differences { lines.append("ends otherwise: \(kill)") }
    if !kills.isEmpty, endsAlike { lines.append("every killed run ends alike") }
    for stage in repeated {
      lines.append(
        "runs again: \(stage), begun \(stage.beginnings) times by \(stage.idempotencyKey)")
    }
    return lines.joined(separator: "\n")
  }
}

/// A run of a trial that was killed once, and came to its end in another process.
public struct FlowTrialKill: Sendable {
  /// The stage at whose checkpoint the process was killed.
  public let stage: FlowTrialStage
  /// Whether its checkpoint was made.
  public let moment: FlowTrialMoment
  /// The stages that the run and its children came to, in the order in which their work began.
  public let path: [FlowTrialStage]
  /// How the run ended.
  public let outcome: FlowTrialOutcome
  /// What it left behind; nil when nothing is compared.
  public let effects: String?
  /// The stages whose work began more often than in the undisturbed run, and more than once.
  public let repeated: [FlowTrialStage]
  /// Whether the outcome, and what is compared beside it, is that of the undisturbed run.
  public let endsAlike: Bool

  init(_ run: TrialResult, at point: TrialKillPoint, comparedTo undisturbed: TrialResult) {
    stage = point.stage
    moment = point.moment
    path = run.path
    outcome = run.outcome
    effects = run.effects?.description
    var counts: [FlowTrialStage.Place: Int] = [:]
    for stage in undisturbed.path { counts[stage.place] = stage.beginnings }
    repeated = run.path.filter { $0.beginnings > max(1, counts[$0.place, default: 0]) }
    endsAlike =
      run.outcome == undisturbed.outcome && TrialEffects.areEqual(run.effects, undisturbed.effects)
  }
}

extension FlowTrialKill: CustomStringConvertible {
  /// Where it was killed, how it ended, and what ran again.
  public var description: String {
    let moment = moment == .beforeCheckpoint ? "before" : "after"
    let again = repeated.map { "\($0) (\($0.beginnings) times)" }.joined(separator: ", ")
    return "killed \(moment) the checkpoint of \(stage), \(outcome)"
      + (effects.map { ", effects: \($0)" } ?? "") + (again.isEmpty ? "" : "; again: \(again)")
  }
}
