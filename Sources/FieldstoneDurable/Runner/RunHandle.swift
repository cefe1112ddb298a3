public import FieldstoneCore
import Foundation

/// A run that can be awaited, watched, signalled and cancelled.
///
/// The handle need not be kept: the run continues without it. The run may be worked on in any
/// process. Changes by this process are noticed at once, all others within
/// ``DurableRunnerOptions/pollInterval``.
public struct RunHandle<Completion: Codable & Sendable>: Sendable {
  /// Identifies the run.
  public let id: RunID

  let runner: DurableRunner

  /// The run's current record.
  ///
  /// - Throws: ``JournalError``.
  public var record: RunRecord {
    get async throws {
      guard let record = try await runner.journal.run(id) else { throw JournalError.noRun(id) }
      return record
    }
  }

  /// The completion, once the run has it, whichever runner completes the run.
  ///
  /// It waits while the journal is unavailable. A *dead* run needs an operator and a *blocked* run
  /// needs other code, so these errors are thrown at once. Once the run is ready again, `value` can
  /// be awaited again.
  ///
  /// It throws within the work of a stage, which would occupy its place while it waits.
  ///
  /// - Throws: ``DurableRunError``; ``/FieldstoneCore/CallCancelled`` if the run was cancelled;
  ///   ``DurableRunnerError/awaitedInStage(_:of:)`` in a stage; ``JournalError``; `DecodingError`
  ///   if the completion has another type; or `CancellationError` at once if the waiting task is
  ///   cancelled; the run continues.
  public var value: Completion {
    get async throws { try await value(from: .anyRunner) }
  }

  /// The completion, once the run has it, unless this runner is expected to do the run and can't.
  ///
  /// Where no other process works on the journal, pass ``ExpectedRunner/thisRunner``. A run of a
  /// newer version or of an unknown flow then throws an error instead of waiting for ever. The call
  /// does not check that the runner is running.
  ///
  /// - Throws: the errors of ``value``; ``DurableRunError/newerVersion(_:found:known:)`` and
  ///   ``DurableRunError/unknownFlow(_:flow:)`` if this runner is expected to do the run and can't.
  public func value(from expected: ExpectedRunner) async throws -> Completion {
    try StageScope.checkMayAwait(id)
    let listener = RunListener(
      id, of: runner.news, interest: expected == .thisRunner ? .stages : .rest,
      takesCompletion: true)
    while true {
      try Task.checkCancellation()
      if let payload = listener.completion { return try StageJSON.value(from: payload) }
      if let record = try await recordIfAvailable {
        if let value = try value(of: record) { return value }
        if expected == .thisRunner { try runner.expectToRun(record) }
      }
      await listener.wait()
    }
  }

  /// The run's outcome once it has ended, or the error that keeps it from ending; see ``value``.
  ///
  /// It waits even if the waiting task is cancelled.
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
  /// The links of the run's chain, from the first: each stage once the run has left it.
  ///
  /// The sequence ends when the run is over, and waits while it is *blocked*. See
  /// ``StepRecord/stage(as:)``.
  public var stages: RunStages {
    RunStages(id: id, runner: runner)
  }

  /// Cancels the run; does nothing if the run is over.
  ///
  /// Work on it in this process is cancelled at once, elsewhere at the next renewal. The cancelled
  /// work never reaches a checkpoint.
  ///
  /// - Throws: ``JournalError``.
  public func cancel() async throws {
    do {
      let record = try await runner.journal.change(
        id, .cancel, by: runner.options.worker,
        at: JournalTime(runner.time, boot: runner.options.boot))
      runner.nudge(id, lostUpTo: record.fence)
    } catch JournalError.notAllowed {
      return
    }
  }

  /// Sends a signal, which the run gets when it receives by that name, now or later.
  ///
  /// - Parameters:
  ///   - name: the name that the run receives by.
  ///   - value: the signal's value.
  ///   - signalID: identifies the signal, so that sending it twice delivers it once; new unless
  ///     given.
  ///   - actor: the person who sends it, for the audit; nil for the app's own code, which writes no
  ///     audit row.
  /// - Returns: whether the signal is new to the run or was sent before.
  /// - Throws: ``JournalError``, `EncodingError`.
  @discardableResult
  public func signal(
    _ name: String, _ value: some Encodable & Sendable, id signalID: String? = nil,
    by actor: String? = nil
  ) async throws -> SignalReceipt {
    let now = JournalTime(runner.time, boot: runner.options.boot)
    var signal = try runner.requests.signal(name, value, id: signalID, to: id)
    signal.actor = actor
    let receipt = try await runner.journal.signal(id, signal, at: now)
    runner.nudge(id)
    return receipt
  }

  /// Sends a signal, which the run gets when it receives by that name, now or later.
  ///
  /// - Parameters:
  ///   - name: the name that the run receives by.
  ///   - value: the signal's value.
  ///   - signalID: identifies the signal, so that sending it twice delivers it once; new unless
  ///     given.
  ///   - actor: the person who sends it, for the audit; nil for the app's own code, which writes no
  ///     audit row.
  /// - Returns: whether the signal is new to the run or was sent before.
  /// - Throws: ``JournalError``, `EncodingError`.
  @discardableResult
  public func signal<Value>(
    _ name: SignalName<Value>, _ value: Value, id signalID: String? = nil, by actor: String? = nil
  ) async throws -> SignalReceipt {
    try await signal(name.name, value, id: signalID, by: actor)
  }

  /// Makes a dead, blocked, cancelled or waiting run ready at once, with all its attempts
  /// available.
  ///
  /// - Throws: ``JournalError``.
  public func retry() async throws {
    try await runner.journal.change(
      id, .retry, by: runner.options.worker, at: JournalTime(runner.time, boot: runner.options.boot)
    )
    runner.nudge(id)
  }
}
