import FieldstoneCore
import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// The events in a run of a trial, in their order.
final class TrialLog: Sendable {
  typealias Place = FlowTrialStage.Place

  private struct State {
    var origins: [RunID: String] = [:]
    var stages: [Place: FlowTrialStage] = [:]
    /// The stages in the order in which their work began.
    var path: [Place] = []
    var checkpoints: [Place] = []
    var transitions: [TrialTransition] = []
    var works: [Int: TrialWork] = [:]
    var beginnings = 0
    /// The number of transactions that have begun; they are in `works` with numbers below zero.
    var writings = 0
    var asked: Set<Place> = []
    var failure: FlowTrialError?
    var isKillReached = false
  }

  private let state = Locked(State())

  /// An error that stops the trial, found where it can't be thrown.
  var failure: FlowTrialError? { state.withLock { $0.failure } }
  var isKillReached: Bool { state.withLock { $0.isKillReached } }

  /// The number of attempts at stages that have begun.
  var beginnings: Int { state.withLock { $0.beginnings } }

  func fail(with error: FlowTrialError) {
    state.withLock { $0.failure = $0.failure ?? error }
  }

  func reachKill() {
    state.withLock { $0.isKillReached = true }
  }

  /// Sets the run that the trial has started.
  func begin(_ id: RunID) {
    state.withLock { $0.origins[id] = "" }
  }

  func place(of run: RunID, _ sequence: Int) -> Place {
    // A run that was started outside the flow has its identifier as its origin.
    state.withLock { Place(origin: $0.origins[run] ?? run.description, sequence: sequence) }
  }

  /// The current stage of a run, whether its work has begun or not.
  func stage(of record: RunRecord) -> FlowTrialStage {
    let place = place(of: record.id, record.sequence)
    let known = state.withLock { $0.stages[place] }
    return known
      ?? FlowTrialStage(
        flow: record.flow, origin: place.origin, sequence: place.sequence,
        name: StageText.name(of: record.payload), beginnings: 0,
        // As in DurableContext.
        idempotencyKey: "\(record.id)-\(place.sequence)")
  }

  /// Whether a stage's wait is answered for the first time.
  func isAskedFirst(_ place: Place) -> Bool {
    state.withLock { $0.asked.insert(place).inserted }
  }
}

// MARK: Work

extension TrialLog {
  /// Notes the beginning of an attempt at a stage; nil if it exceeds the limit.
  func beginWork(
    at record: RunRecord, in process: TrialProcess, limit: Int
  ) -> TrialWork? {
    var stage = stage(of: record)
    return state.withLock { state in
      guard state.beginnings < max(1, limit) else {
        state.failure = state.failure ?? .doesNotEnd(after: state.beginnings, at: stage)
        return nil
      }
      state.beginnings += 1
      stage.beginnings += 1
      switch stage.beginnings {
      case 1: state.path.append(stage.place)
      case 2:
        let node = TrialNode(flow: stage.flow, name: stage.name)
        state.transitions.append(TrialTransition(from: node, to: node, kind: .retry))
      default: break
      }
      state.stages[stage.place] = stage
      let work = TrialWork(number: state.beginnings, place: stage.place, process: process)
      state.works[work.number] = work
      return work
    }
  }

  /// Notes the beginning of a checkpoint's transaction, which the trial awaits like the work: a
  /// database does it on its own thread.
  func beginWriting(at place: Place, in process: TrialProcess) -> TrialWork {
    state.withLock { state in
      state.writings += 1
      let work = TrialWork(number: -state.writings, place: place, process: process)
      state.works[work.number] = work
      return work
    }
  }

  func endWork(_ work: TrialWork) {
    state.withLock { $0.works[work.number] = nil }
  }

  /// The stage whose work is in progress and does not sleep by the clock; the first that began.
  func stageAtWork(asleep: Set<Int>) -> FlowTrialStage? {
    state.withLock { state in
      let awake = state.works.values.filter { !asleep.contains($0.number) }
      return awake.min { $0.number < $1.number }.flatMap { state.stages[$0.place] }
    }
  }
}

// MARK: Steps

extension TrialLog {
  /// Notes a checkpoint of a stage.
  func add(_ checkpoint: Checkpoint, of record: RunRecord) {
    let stage = stage(of: record)
    let from = TrialNode(flow: stage.flow, name: stage.name)
    let to: TrialNode
    let kind: TrialTransition.Kind
    switch checkpoint.next {
    case .stage(let payload): (to, kind) = (from.next(payload), .advance)
    case .waiting(let payload, until: _): (to, kind) = (from.next(payload), .wait)
    case .receiving(let payload, let names, until: _):
      (to, kind) = (from.next(payload), .signals(names))
    case .joining(let payload, _): (to, kind) = (from.next(payload), .children)
    case .completion: (to, kind) = (from.end("completed"), .advance)
    }
    let children = checkpoint.next.children.map(\.start)
    let origin = stage.origin.isEmpty ? "" : stage.origin + "/"
    state.withLock { state in
      for (index, child) in children.enumerated() {
        state.origins[child.id] = "\(origin)\(stage.sequence).\(index)"
      }
      for (index, start) in checkpoint.starts.enumerated() {
        state.origins[start.id] = "\(origin)\(stage.sequence)+\(index)"
      }
      state.checkpoints.append(stage.place)
      state.transitions.append(TrialTransition(from: from, to: to, kind: kind))
      for start in children + checkpoint.starts {
        let first = TrialNode(flow: start.flow, name: StageText.name(of: start.payload))
        state.transitions.append(TrialTransition(from: from, to: first, kind: .starts))
      }
    }
  }

  /// The result of the run.
  ///
  /// - Parameter ended: the runs of the trial, oldest first.
  func result(
    outcome: FlowTrialOutcome, effects: TrialEffects?, skippedTime: Duration, ended: [RunRecord]
  ) -> TrialResult {
    // A run that ended without a completion has made no checkpoint of its end.
    let ends = ended.filter { $0.state != .completed }.map { record in
      let from = TrialNode(flow: record.flow, name: StageText.name(of: record.payload))
      return TrialTransition(from: from, to: from.end(record.state.rawValue), kind: .advance)
    }
    return state.withLock { state in
      TrialResult(
        path: state.path.compactMap { state.stages[$0] },
        checkpoints: state.checkpoints.compactMap { state.stages[$0] },
        transitions: state.transitions + ends, outcome: outcome, effects: effects,
        skippedTime: skippedTime)
    }
  }
}

extension TrialNode {
  fileprivate func next(_ payload: Data) -> Self {
    TrialNode(flow: flow, name: StageText.name(of: payload))
  }

  fileprivate func end(_ name: String) -> Self {
    TrialNode(flow: flow, name: name, isEnd: true)
  }
}
