#if Observability
  public import FieldstoneDurable
  import Foundation
  public import Logging

  extension DurableRunnerOptions {
    /// Writes the runner's events to a log, after earlier observers of events.
    ///
    /// Each kind of event has one fixed message. The metadata are `flow`, `run`, `sequence` (the
    /// stage's number in the chain), `attempt`, and the values of the event.
    ///
    /// | level | events |
    /// | --- | --- |
    /// | debug | a run claimed, a stage finished (`duration`) |
    /// | info | a run started, completed, given back (by a shutdown, or because its checkpoint could not be written) or given back for a pause; a run started by its schedule (`schedule`, `tick`); overlapping ticks (`ticks`) |
    /// | warning | an attempt that failed (`error`, `retry.at`), a run lost (`loss`), an unavailable journal (`error`), a large payload (`bytes`, `limit`), a blocked executor (`duration`, `over`), other limits in the journal (`limits.declared`, `limits.kept`), missed ticks (`first`, `last`) |
    /// | error | a run dead or blocked (`error`), leases no longer renewed (`duration`), a schedule that failed (`error`) |
    ///
    /// The text of an error is that of the stage's error: keep secrets out of it.
    ///
    /// - Parameter logger: the logger; its level and its metadata apply.
    public mutating func log(to logger: Logger) {
      let log = RunnerLog(logger: logger)
      observe { log.write($0) }
    }
  }

  /// Writes events to a logger.
  struct RunnerLog: Sendable {
    let logger: Logger

    func write(_ event: RunnerEvent) {
      logger.log(
        level: event.kind.logLevel, event.kind.logMessage, metadata: event.logMetadata)
    }
  }

  extension RunnerEvent {
    fileprivate var logMetadata: Logger.Metadata {
      var metadata = kind.logMetadata
      if let flow { metadata["flow"] = .string(flow) }
      if let run { metadata["run"] = .stringConvertible(run) }
      if let sequence { metadata["sequence"] = .stringConvertible(sequence) }
      return metadata
    }
  }

  extension RunnerEvent.Kind {
    fileprivate var logLevel: Logger.Level {
      switch self {
      case .claimed, .stageFinished: .debug
      case .started, .completed, .parked, .paused, .scheduled, .ticksOverlapped: .info
      case .retry, .lost, .journalUnavailable, .payloadWarning, .executorHeldUp, .limitsDiffer,
        .ticksMissed:
        .warning
      case .dead, .blocked, .renewalStopped, .scheduleFailed: .error
      }
    }

    fileprivate var logMessage: Logger.Message {
      switch self {
      case .started: "Run started"
      case .claimed: "Run claimed"
      case .stageFinished: "Stage finished"
      case .completed: "Run completed"
      case .retry: "Stage failed, will be retried"
      case .dead: "Run dead"
      case .blocked: "Run blocked"
      case .parked: "Run given back"
      case .paused: "Run given back for a pause"
      case .lost: "Run lost"
      case .journalUnavailable: "Journal unavailable"
      case .scheduled: "Run started by its schedule"
      case .ticksOverlapped: "Ticks not started, as a run was not over"
      case .ticksMissed: "Ticks missed"
      case .scheduleFailed: "Schedule can't be read or started"
      case .limitsDiffer: "Limits of the journal hold"
      case .payloadWarning: "Payload large"
      case .executorHeldUp: "Executor held up"
      case .renewalStopped: "Leases renewed no more"
      }
    }

    fileprivate var logMetadata: Logger.Metadata {
      switch self {
      case .started, .completed, .parked, .paused: [:]
      case .claimed(let attempt): ["attempt": .stringConvertible(attempt)]
      case .stageFinished(let attempt, let duration):
        ["attempt": .stringConvertible(attempt), "duration": .stringConvertible(duration)]
      case .retry(let attempt, let date, let error):
        [
          "attempt": .stringConvertible(attempt), "error": .string(error),
          "retry.at": .string(date.ISO8601Format()),
        ]
      case .dead(let attempts, let error):
        ["attempt": .stringConvertible(attempts), "error": .string(error)]
      case .blocked(let error), .journalUnavailable(let error): ["error": .string(error)]
      case .lost(let loss): ["loss": .string(loss.rawValue)]
      case .scheduled(let schedule, let tick):
        ["schedule": .string(schedule), "tick": .string(tick.ISO8601Format())]
      case .ticksOverlapped(let schedule, let ticks):
        ["schedule": .string(schedule), "ticks": .stringConvertible(ticks.count)]
      case .ticksMissed(let schedule, let first, let last):
        [
          "schedule": .string(schedule), "first": .string(first.ISO8601Format()),
          "last": .string(last.ISO8601Format()),
        ]
      case .scheduleFailed(let schedule, let error):
        ["schedule": .string(schedule), "error": .string(error)]
      case .limitsDiffer(let declared, let kept):
        [
          "limits.declared": .string("\(declared.map { "\($0)" } ?? "none")"),
          "limits.kept": .string("\(kept.map { "\($0)" } ?? "none")"),
        ]
      case .payloadWarning(let bytes, let limit):
        ["bytes": .stringConvertible(bytes), "limit": .stringConvertible(limit)]
      case .executorHeldUp(let wait, let isOver):
        ["duration": .stringConvertible(wait), "over": .stringConvertible(isOver)]
      case .renewalStopped(let wait): ["duration": .stringConvertible(wait)]
      }
    }
  }
#endif
