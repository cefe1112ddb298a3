import FieldstoneCore
public import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// The result of a trial: the path and outcome of the undisturbed run, and one entry per kill.
public struct FlowTrialReport: Sendable {
  /// The stages of the undisturbed run and its children, in the order in which their work began.
  public let path: [FlowTrialStage]
  /// The outcome of the undisturbed run.
  public let outcome: FlowTrialOutcome
  /// The value of ``FlowTrial/comparing(_:)`` for that run; nil if nothing is compared.
  public let effects: String?
  /// The number of its checkpoints, including those of its children.
  public let checkpoints: Int
  /// The time that was skipped from its start to its end.
  public let skippedTime: Duration
  /// The progress and the log lines that the stages of the undisturbed run reported, without those
  /// of its children.
  public let runReport: RunReport
  /// The killed runs, in the order of the path.
  public let kills: [FlowTrialKill]
  /// The number of kills that the options have omitted.
  public let killsLeftOut: Int

  let transitions: [TrialTransition]

  init(_ run: TrialResult, kills: [FlowTrialKill], leftOut: Int) {
    path = run.path
    outcome = run.outcome
    effects = run.effects?.description
    checkpoints = run.checkpoints.count
    skippedTime = run.skippedTime
    runReport = run.report
    transitions = run.transitions
    self.kills = kills
    killsLeftOut = leftOut
  }

  /// Whether every killed run had the outcome and the compared effects of the undisturbed one.
  public var endsAlike: Bool { kills.allSatisfy(\.endsAlike) }

  /// The kills after which the run ended differently.
  public var differences: [FlowTrialKill] { kills.filter { !$0.endsAlike } }

  /// The stages whose work ran again because of some kill, in the order of the path, with the
  /// highest count of any kill.
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

  /// The flow's cases in this run as a Mermaid diagram; ``FlowDiagram`` combines several reports.
  public var diagram: String { FlowDiagram([self]).mermaid }
}

extension FlowTrialReport: CustomStringConvertible {
  /// The outcome, the path, the progress, the ten newest log lines, the differences and the repeated
  /// stages, each on separate lines.
  public var description: String {
    let seconds = skippedTime / .seconds(1)
    let left = killsLeftOut == 0 ? "" : ", \(killsLeftOut) more left out"
    var lines = ["\(outcome)"]
    if let effects { lines.append("effects: \(effects)") }
    lines.append("path: " + path.map(\.description).joined(separator: ", "))
    lines.append(
      "\(checkpoints) checkpoints, \(StageText.duration(seconds)) skipped, \(kills.count) kills\(left)"
    )
    if let progress = runReport.progress {
      lines.append("progress: \(ReportText.progress(progress))")
    }
    lines += runReport.lines.suffix(10).map { "log: \($0.text.inOneLine)" }
    for kill in differences { lines.append("ends otherwise: \(kill)") }
    if !kills.isEmpty, endsAlike { lines.append("every killed run ends alike") }
    for stage in repeated {
      lines.append(
        "runs again: \(stage), begun \(stage.beginnings) times by \(stage.idempotencyKey)")
    }
    return lines.joined(separator: "\n")
  }
}

/// A run of a trial that was killed once, and ended in another process.
public struct FlowTrialKill: Sendable {
  /// The stage at whose checkpoint the process was killed.
  public let stage: FlowTrialStage
  /// Whether its checkpoint was made.
  public let moment: FlowTrialMoment
  /// The stages of the run and its children, in the order in which their work began.
  public let path: [FlowTrialStage]
  /// The run's outcome.
  public let outcome: FlowTrialOutcome
  /// Its compared effects; nil if nothing is compared.
  public let effects: String?
  /// The stages whose work began more often than in the undisturbed run, and more than once.
  public let repeated: [FlowTrialStage]
  /// Whether the outcome and the compared effects equal those of the undisturbed run.
  ///
  /// Completions are compared as values if their type is `Equatable`, otherwise as JSON.
  public let endsAlike: Bool

  init(
    _ run: TrialResult, at point: TrialKillPoint, comparedTo undisturbed: TrialResult,
    by completionsAreEqual: (Data, Data) -> Bool
  ) {
    stage = point.stage
    moment = point.moment
    path = run.path
    outcome = run.outcome
    effects = run.effects?.description
    var counts: [FlowTrialStage.Place: Int] = [:]
    for stage in undisturbed.path { counts[stage.place] = stage.beginnings }
    repeated = run.path.filter { $0.beginnings > max(1, counts[$0.place, default: 0]) }
    endsAlike =
      run.outcome.isEqual(to: undisturbed.outcome, by: completionsAreEqual)
      && TrialEffects.areEqual(run.effects, undisturbed.effects)
  }
}

extension FlowTrialKill: CustomStringConvertible {
  /// The place of the kill, the outcome, and the repeated stages.
  public var description: String {
    let moment = moment == .beforeCheckpoint ? "before" : "after"
    let again = repeated.map { "\($0) (\($0.beginnings) times)" }.joined(separator: ", ")
    return "killed \(moment) the checkpoint of \(stage), \(outcome)"
      + (effects.map { ", effects: \($0)" } ?? "") + (again.isEmpty ? "" : "; again: \(again)")
  }
}
