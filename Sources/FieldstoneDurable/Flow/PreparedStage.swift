import FieldstoneStages
import Foundation

/// A type-erased stage, ready for its work.
struct PreparedStage: Sendable {
  let retryPolicy: @Sendable () -> StageRetryPolicy
  let timeLimit: @Sendable () -> Duration?
  let perform: @Sendable (StageCall) async throws -> PreparedStep
}

/// The input of an attempt at a stage.
struct StageCall: Sendable {
  let run: RunID
  let sequence: Int
  let attempt: Int
  let now: Date
  let signal: SignalRecord?
  /// The number of the stage whose children were awaited.
  let joinedSequence: Int?
  /// The trace that the run belongs to.
  let trace: [String: String]
  let requests: any StageRequests
  let reports: any StageReports
}

/// The result of an attempt, ready to be written.
struct PreparedStep: Sendable {
  let next: Checkpoint.Next
  /// The stage to work on at once; non-nil only with ``Checkpoint/Next/stage(_:)``.
  let following: PreparedStage?
  let outbox: StageOutbox.Content
}

/// The statically typed part of a flow, which decodes its stages and does their work.
struct FlowWork<Work: Codable & Sendable, Completion: Codable & Sendable>: Sendable {
  typealias Perform =
    @Sendable (Work, StageCall) async throws -> (DurableStep<Work, Completion>, StageOutbox.Content)

  let version: Int
  let options: FlowOptions<Work>
  let perform: Perform

  /// Decodes a stage, with a migration if another version wrote it.
  func stage(ofVersion written: Int, _ payload: Data) throws -> Work {
    guard written != version, let migration = options.migration else {
      return try StageJSON.value(Work.self, from: payload)
    }
    try PayloadEnvelope.check(payload)
    return try migration(written, StageJSON.caseName(of: payload), payload)
  }

  func prepare(_ stage: Work) -> PreparedStage {
    PreparedStage(
      retryPolicy: { options.retryPolicy(stage) }, timeLimit: { options.timeLimit(stage) }
    ) { call in
      let (step, outbox) = try await perform(stage, call)
      switch step {
      case .advance(let next):
        // The next stage is passed on as a value; it is decoded from the journal only after an
        // interruption.
        return PreparedStep(
          next: .stage(try StageJSON.data(of: next)), following: prepare(next), outbox: outbox)
      case .wait(let date, let next):
        return PreparedStep(
          next: .waiting(try StageJSON.data(of: next), until: date), following: nil, outbox: outbox)
      case .receive(let names, let date, let next):
        let data = try StageJSON.data(of: next)
        return PreparedStep(
          next: .receiving(data, signals: names, until: date), following: nil, outbox: outbox)
      case .join(let children, let policy, let date, let next):
        let join = Checkpoint.Join(children, when: policy, until: date)
        return PreparedStep(
          next: .joining(try StageJSON.data(of: next), join), following: nil, outbox: outbox)
      case .complete(let completion):
        return PreparedStep(
          next: .completion(try StageJSON.data(of: completion)), following: nil, outbox: outbox)
      }
    }
  }
}

extension DurableStep {
  /// A step of a stage without durable features.
  init(_ step: Step<Next, Completion>) {
    switch step {
    case .advance(let next): self = .advance(to: next)
    case .complete(let completion): self = .complete(completion)
    case .wait(let date, let next): self = .wait(until: date, then: next)
    }
  }
}
