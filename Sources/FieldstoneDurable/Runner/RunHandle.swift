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

  /// The completion, once it is there; whichever runner brings the run there.
  ///
  /// It waits while the journal can't be used. A run that is *dead* needs a person, and one that is
  /// *blocked* other code, so waiting tasks get it at once. Once it is ready again, `value` can be
  /// awaited again.
  ///
  /// Not within the work of a stage, which would keep its place meanwhile: that throws.
  ///
  /// - Throws: ``DurableRunError``, ``/FieldstoneCore/CallCancelled`` when the run was cancelled,
  ///   ``DurableRunnerError/awaitedInStage(_:of:)`` in a stage,
  ///   ``JournalError``, `DecodingError` when it came to another kind of completion, or
  ///   `CancellationError` at once when the task that waits is cancelled; the run goes on.
  public var value: Completion {
    get async throws { try await value(from: .anyRunner) }
  }

  /// The completion, once it is there.
  ///
  /// Where no other process works on the journal, ask for it from ``ExpectedRunner/thisRunner``: a run
  /// that this runner leaves alone, being of a newer version or of a flow that it does not have, is
  /// then told by an error, where one would wait for ever. It does not look whether the runner runs.
  ///
  /// - Throws: what ``value`` throws; ``DurableRunError/newerVersion(_:found:known:)`` and
  ///   ``DurableRunError/unknownFlow(_:flow:)`` when this runner is expected to do it and can't.
  public func value(from expected: ExpectedRunner) async throws -> Completion {
    try StageScope.checkMayAwait(id)
    let listener = RunListener(
      id, of: runner.news, interest: expected == .thisRunner ? .stages : .rest)
    return try await withTaskCancellationHandler {
      while true {
        try Task.checkCancellation()
        if let record = try await recordIfAvailable {
          if let value = try value(of: record) { return value }
          if expected == .thisRunner { try runner.expectToRun(record) }
        }
        await listener.wakeEvent.wait()
      }
    } onCancel: {
      listener.wakeEvent.signal()
    }
  }

  /// How it ended, once it has, or what keeps it from ending; see ``value``.
  ///
  /// It waits for that also when the waiting task is cancelled.
  public var outcome: Outcome<Completion> {
    get async {
      await Task(executorPreference: runner.options.executor) {
        await Outcome(running: { try await value })
      }.value
    }
  }

  private var recordIfAvailable: RunRecord? {
    get async throws {
      do {
        return try await record
      } catch let error as JournalError where error.isTransient {
        runner.news.couldNotRead(id)
        return nil
      }
    }
  }

  private func value(of record: RunRecord) throws -> Completion? {
    switch record.state {
    case .completed: return try StageJSON.value(from: record.payload)
    case .dead: throw DurableRunError.dead(id, error: record.error ?? "no reason is known")
    case .blocked: throw DurableRunError.blocked(id, error: record.error ?? "no reason is known")
    case .cancelled: throw CallCancelled(record.cancellationReason ?? .caller)
    case .ready, .running: return nil
    }
  }
}

extension RunHandle {
  /// The links of the run's chain, from the first: each stage that it has left, as soon as it has.
  ///
  /// It ends when the run is over, and waits while it is *blocked*. See ``StepRecord/stage(as:)``.
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
      let record = try await runner.journal.change(
        id, .cancel, at: JournalTime(runner.time, boot: runner.options.boot))
      runner.nudge(id, lostUpTo: record.fence)
    } catch JournalError.notAllowed {
      return
    }
  }

  /// Sends a signal, which the run gets when it receives by that name, now or later.
  ///
  /// - Parameters:
  ///   - name: what the run waits for by.
  ///   - value: what it says.
  ///   - signalID: sent again under the same one, it is the same signal; new unless given.
  /// - Returns: whether it is new to the run.
  /// - Throws: ``JournalError``, `EncodingError`.
  @discardableResult
  public func signal(
    _ name: String, _ value: some Encodable & Sendable, id signalID: String? = nil
  ) async throws -> SignalReceipt {
    let now = JournalTime(runner.time, boot: runner.options.boot)
    let signal = try runner.requests.signal(name, value, id: signalID, to: id)
    let receipt = try await runner.journal.signal(id, signal, at: now)
    runner.nudge(id)
    return receipt
  }

  /// Sends a signal, which the run gets when it receives by that name, now or later.
  ///
  /// - Parameters:
  ///   - name: what the run waits for by.
  ///   - value: what it says.
  ///   - signalID: sent again under the same one, it is the same signal; new unless given.
  /// - Returns: whether it is new to the run.
  /// - Throws: ``JournalError``, `EncodingError`.
  @discardableResult
  public func signal<Value>(
    _ name: SignalName<Value>, _ value: Value, id signalID: String? = nil
  ) async throws -> SignalReceipt {
    try await signal(name.name, value, id: signalID)
  }

  /// Makes a dead, blocked, cancelled or waiting run ready at once, with all its attempts before it.
  ///
  /// - Throws: ``JournalError``.
  public func retry() async throws {
    try await runner.journal.change(
      id, .retry, at: JournalTime(runner.time, boot: runner.options.boot))
    runner.nudge(id)
  }
}
