public import FieldstoneCore
import Foundation

/// A run: something to await, to watch, to signal and to call off.
///
/// It need not be kept: the run goes on without it. It works on a run of any process: what this
/// process does it hears of at once, everything else at ``DurableRunnerOptions/pollInterval``.
public struct RunHandle<Completion: Codable & Sendable>: Sendable {
  /// Names the run.
  public let id: RunID

  let runner: DurableRunner

  /// The run as it stands.
  ///
  /// - Throws: ``JournalError``.
  public var record: RunRecord {
    get async throws {
      guard let record = try await runner.journal.run(id) else { throw JournalError.noRun(id) }
      return record
    }
  }

  /// The completion, once it is there.
  ///
  /// It waits also while the run is *blocked*, and while the journal can't be used.
  ///
  /// - Throws: ``DurableRunError``, ``/FieldstoneCore/CallCancelled`` when the run was cancelled,
  ///   ``JournalError``, `DecodingError` when it came to another kind of completion, or
  ///   `CancellationError` at once when the task that waits is cancelled; the run goes on.
  public var value: Completion {
    get async throws {
      let listener = RunListener(id, of: runner.news)
      return try await withTaskCancellationHandler {
        while true {
          try Task.checkCancellation()
          if let record = try await recordIfAvailable, let value = try value(of: record) {
            return value
          }
          await runner.waitForNews(listener.bell)
        }
      } onCancel: {
        listener.bell.ring()
      }
    }
  }

  /// How it ended, once it has; waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<Completion> {
    get async {
      await Task(executorPreference: runner.options.executor) {
        do { return .success(try await value) } catch { return Outcome(throwing: error) }
      }.value
    }
  }

  private var recordIfAvailable: RunRecord? {
    get async throws {
      do {
        return try await record
      } catch let error as JournalError where error.mayPass {
        return nil
      }
    }
  }

  private func value(of record: RunRecord) throws -> Completion? {
    switch record.state {
    case .completed: return try StageJSON.value(from: record.payload)
    case .dead: throw DurableRunError.dead(id, error: record.error ?? "no reason is known")
    case .cancelled: throw CallCancelled(.caller)
    case .ready, .running, .blocked: return nil
    }
  }
}

extension RunHandle {
  /// The links of the run's chain, from the first: each stage that it has left, as soon as it has.
  ///
  /// It ends when the run is over. See ``StepRecord/stage(as:)``.
  public var stages: RunStages {
    RunStages(id: id, runner: runner)
  }

  /// Calls the run off; a no-op when it is over.
  ///
  /// Work on it in this process is cancelled at once, elsewhere at the next renewal; it ends in
  /// cancellation and never gets to a checkpoint.
  ///
  /// - Throws: ``JournalError``.
  public func cancel() async throws {
    do {
      try await runner.journal.change(
        id, .cancel, at: JournalTime(runner.time, boot: runner.options.boot))
    } catch JournalError.notAllowed {
      return
    }
    runner.nudge(id, isLost: true)
  }

  /// Sends a signal, which the run gets when it receives by that name, now or later.
  ///
  /// - Parameters:
  ///   - name: what the run waits for by.
  ///   - value: what it says.
  ///   - signalID: sent again under the same one, it is the same signal; new unless given.
  /// - Throws: ``JournalError``, `EncodingError`.
  public func signal(
    _ name: String, _ value: some Encodable & Sendable, id signalID: String? = nil
  ) async throws {
    let now = JournalTime(runner.time, boot: runner.options.boot)
    var random = RandomSource(bits: runner.options.random)
    let signal = SignalRecord(
      id: signalID ?? RunID(at: now.date, using: &random).description, name: name,
      payload: try runner.payload(of: value, run: id), sentAt: now.date)
    try await runner.journal.signal(id, signal, at: now)
    runner.nudge(id)
  }

  /// Makes a dead, blocked or waiting run ready at once, with all its attempts before it.
  ///
  /// - Throws: ``JournalError``.
  public func retry() async throws {
    try await runner.journal.change(
      id, .retry, at: JournalTime(runner.time, boot: runner.options.boot))
    runner.nudge(id)
  }
}
