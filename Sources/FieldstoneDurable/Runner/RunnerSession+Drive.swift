import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Works on a run from its claim on, stage after stage, until it is given back or lost.
  func drive(_ claimed: ClaimedRun, as holding: Holding) async {
    report(.claimed(attempt: claimed.record.attempts + claimed.record.crashes), of: holding)
    await work(on: claimed, as: holding)
    remove(holding)
    news.ring(holding.claim.id)
  }

  private func work(on claimed: ClaimedRun, as holding: Holding) async {
    let record = claimed.record
    var stage: PreparedStage
    do {
      guard let flow = flows[record.flow] else {
        throw DurableRunnerError.notRegistered(stage: record.flow)
      }
      // Not read once more: what ended the workers may be an `init(from:)` or a migration.
      if record.loneCrashes >= flow.maximumLoneCrashes {
        let text = """
          Its worker has died \(record.loneCrashes) times while it had this run alone; mend what ends \
          it, then retry or edit the run.
          """
        await park(
          holding, .exhausted(error: text), as: .dead(attempts: record.attempts - 1, error: text))
        return
      }
      stage = try flow.prepare(record)
    } catch {
      let text = Self.text(of: error)
      await park(holding, .blocked(error: text), as: .blocked(error: text))
      return
    }
    var attempt = record.attempts
    var crashes = record.crashes
    var signal = claimed.signal
    let limit = stage.retryPolicy().attemptLimit
    if attempt > limit {
      // Its budget was larger when it was given back.
      let text = "\(limit) attempts are used up" + (record.error.map { ": \($0)" } ?? ".")
      await park(
        holding, .exhausted(error: text), as: .dead(attempts: record.attempts - 1, error: text))
      return
    }
    var isFirst = true
    while true {
      if isStopping || (!isFirst && isDraining) {
        await park(holding, .shutdown, as: .parked)
        return
      }
      isFirst = false
      guard
        let next = await attemptStage(
          stage, attempt: attempt, crashes: crashes, signal: signal, of: holding)
      else { return }
      stage = next
      attempt = 1
      crashes = 0
      signal = nil
      news.ring(record.id, isAtRest: false)
    }
  }

  /// Makes one attempt at a stage, and writes what came of it.
  ///
  /// - Returns: the stage to be worked on at once; nil when the run is no longer here.
  private func attemptStage(
    _ stage: PreparedStage, attempt: Int, crashes: Int, signal: SignalRecord?, of holding: Holding
  ) async -> PreparedStage? {
    let claim = holding.claim
    let call = StageCall(
      run: claim.id, sequence: claim.sequence, attempt: attempt + crashes, now: time.now,
      signal: signal)
    let beganAt = time.uptime
    let aroundStage = options.aroundStage
    let flow = holding.flow
    let work = Task(executorPreference: options.executor) { @concurrent in
      self.begin(call.run)
      return try await StageScope.$run.withValue(call.run) {
        guard let aroundStage else { return try await stage.perform(call) }
        let attempt = StageAttempt(
          flow: flow, run: call.run, sequence: call.sequence, number: call.attempt,
          work: { try await stage.perform(call) })
        return try await aroundStage(attempt).step
      }
    }
    holding.take(work)
    let result = await work.result
    switch holding.handIn() {
    case .lost(let loss):
      report(.lost(loss), of: holding)
      return nil
    case .shutdown:
      // Cut short, it may have come to half of what it should have: it is dropped, whatever it is.
      await park(holding, .shutdown, as: .parked)
      return nil
    case nil: break
    }
    do {
      let step = try result.get()
      try checkSize(of: step.next.payload, for: holding)
      let checkpoint = Checkpoint(
        claim: claim, version: flows[holding.flow]?.version ?? 1, next: step.next,
        consumedSignals: signal.map { [$0.id] } ?? [], beganAt: call.now, lease: lease,
        writes: step.writes)
      guard let leaseBeganAt = try await commit(checkpoint, of: holding) else { return nil }
      report(
        .stageFinished(attempt: call.attempt, duration: time.uptime - beganAt), of: holding)
      if case .completion = step.next { report(.completed, of: holding) }
      guard let following = step.following else { return nil }
      // Not at each checkpoint: whoever keeps the leases looks at all of them.
      if holding.advance(leaseBeganAt: leaseBeganAt) { leaseBell.ring() }
      leaveTrial(claim.id)
      return following
    } catch {
      await fail(holding, attempt: attempt, policy: stage.retryPolicy(), error: error)
      return nil
    }
  }

  private func fail(
    _ holding: Holding, attempt: Int, policy: StageRetryPolicy, error: any Error
  ) async {
    let text = Self.text(of: error)
    guard attempt < policy.attemptLimit, policy.shouldRetry(error) else {
      await park(holding, .dead(error: text), as: .dead(attempts: attempt, error: text))
      return
    }
    let delay = policy.delay(after: attempt, bits: options.random())
    let date = time.now + TimeInterval(delay / .seconds(1))
    await park(
      holding, .retry(at: date, error: text), as: .retry(attempt: attempt, at: date, error: text))
  }

  func report(_ kind: RunnerEvent.Kind, of holding: Holding) {
    let claim = holding.claim
    emit(kind, flow: holding.flow, run: claim.id, sequence: claim.sequence)
  }

  private func checkSize(of payload: Data, for holding: Holding) throws {
    let limits = journal.limits
    if payload.count > limits.error {
      throw JournalError.tooLarge(bytes: payload.count, limit: limits.error)
    }
    if payload.count > limits.warning {
      report(.payloadWarning(bytes: payload.count, limit: limits.warning), of: holding)
    }
  }
}
