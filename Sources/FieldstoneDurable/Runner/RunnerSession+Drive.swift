import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Works on a run from its claim, stage after stage, until it is given back or lost.
  func drive(_ claimed: ClaimedRun, as activeLease: ActiveLease) async {
    reports.open(PendingReports.Claim(activeLease.claim))
    report(.claimed(attempt: claimed.record.attempts + claimed.record.crashes), of: activeLease)
    noteCrash(of: claimed)
    await work(on: claimed, as: activeLease)
    remove(activeLease)
    news.notify(activeLease.claim.id)
  }

  private func work(on claimed: ClaimedRun, as activeLease: ActiveLease) async {
    let record = claimed.record
    let stage: PreparedStage
    let version: Int
    do {
      guard let flow = flows[record.flow] else {
        throw DurableRunnerError.notRegistered(stage: record.flow)
      }
      // Not decoded once more: an `init(from:)` or a migration may have ended the workers.
      if record.loneCrashes >= flow.maximumLoneCrashes {
        let text = """
          Its worker has died \(record.loneCrashes) times while it had this run alone; mend what ends \
          it, then retry or edit the run.
          """
        begin(record.id)
        await park(
          activeLease, .exhausted(error: text),
          as: .dead(attempts: record.attempts - 1, error: text))
        return
      }
      stage = try flow.prepare(record)
      // The work would read it otherwise, and use up its attempts.
      if let signal = claimed.signal { try PayloadEnvelope.check(signal.payload) }
      version = flow.version
    } catch {
      let text = Self.text(of: error)
      begin(record.id)
      await park(activeLease, .blocked(error: text), as: .blocked(error: text))
      return
    }
    let limit = stage.retryPolicy().attemptLimit
    if record.attempts > limit {
      // The run had a larger budget of attempts when it was given back.
      let text = "\(limit) attempts are used up" + (record.error.map { ": \($0)" } ?? ".")
      begin(record.id)
      await park(
        activeLease, .exhausted(error: text), as: .dead(attempts: record.attempts - 1, error: text))
      return
    }
    await work(
      from: StageTurn(
        stage: stage, version: version, attempt: record.attempts, crashes: record.crashes,
        signal: claimed.signal, joinedSequence: record.join?.sequence,
        isChild: record.parent != nil),
      of: activeLease)
  }

  /// Works on the stages of a run until this worker has nothing left to do for it.
  ///
  /// All stages share one task, which is cancelled to cut a stage short. Giving the run back must
  /// not be cancelled, so this function does it outside that task.
  private func work(from first: StageTurn, of activeLease: ActiveLease) async {
    var turn = first
    while true {
      let work = StageWork(executorPreference: options.executor) { @concurrent [turn] in
        self.begin(activeLease.claim.id)
        return await self.workOnStages(from: turn, of: activeLease)
      }
      activeLease.take(work)
      switch await work.value {
      case .over: return
      case .cutShort(.lost(let loss)):
        report(.lost(loss), of: activeLease)
        return
      case .cutShort(.shutdown):
        // Work that was cut short may have an incomplete result, so the result is always dropped.
        await park(activeLease, .shutdown, as: .parked)
        return
      case .cancelledItself(let last, let result):
        guard let next = await settle(last, with: result, of: activeLease) else { return }
        turn = next
      }
    }
  }

  private func workOnStages(from first: StageTurn, of activeLease: ActiveLease) async
    -> StageWorkEnd
  {
    var turn = first
    while true {
      if isStopping || (turn.isFollowing && isDraining) { return .cutShort(.shutdown) }
      if let ending = activeLease.ending { return .cutShort(ending) }
      let result = await perform(&turn, of: activeLease)
      if let ending = activeLease.handIn() { return .cutShort(ending) }
      // Work may cancel its own task, which must not cut the following steps short.
      if Task.isCancelled { return .cancelledItself(turn, result) }
      guard let next = await settle(turn, with: result, of: activeLease) else { return .over }
      turn = next
    }
  }

  /// Does the work of a stage.
  private func perform(
    _ turn: inout StageTurn, of activeLease: ActiveLease
  ) async -> Result<PreparedStep, any Error> {
    let claim = activeLease.claim
    let stage = turn.stage
    turn.beganAt = time.now
    turn.beganAtUptime = time.uptime
    let call = StageCall(
      run: claim.id, sequence: claim.sequence, attempt: turn.number, now: turn.beganAt,
      signal: turn.signal, joinedSequence: turn.joinedSequence, trace: activeLease.trace,
      requests: requests, reports: StageReporter(queue: reports, claim: claim))
    let flow = activeLease.flow
    let aroundStage = options.aroundStage
    let limit = stage.timeLimit()
    let limitError = limit.map { _ in Locked<DurableRunnerError?>(nil) }
    let attempt: @Sendable () async throws -> PreparedStep = {
      guard let aroundStage else { return try await stage.perform(call) }
      let attempt = StageAttempt(
        flow: flow, run: call.run, sequence: call.sequence, number: call.attempt,
        trace: call.trace, work: { try await stage.perform(call) },
        isCutShort: { activeLease.ending != nil }, limitError: { limitError?.withLock { $0 } })
      return try await aroundStage(attempt).step
    }
    do {
      return .success(
        try await StageScope.$run.withValue(call.run) {
          guard let limit, let limitError else { return try await attempt() }
          return try await withinTimeLimit(limit, noting: limitError, attempt)
        })
    } catch {
      return .failure(error)
    }
  }

  /// Cancels an attempt when its time limit is over, and fails it when its work has returned.
  private func withinTimeLimit(
    _ limit: Duration, noting limitError: Locked<DurableRunnerError?>,
    _ attempt: @escaping @Sendable () async throws -> PreparedStep
  ) async throws -> PreparedStep {
    enum End {
      case result(Result<PreparedStep, any Error>)
      case timeIsOver
      case timerCancelled
    }
    let deadline = time.uptime + max(.zero, limit)
    let result = await withTaskGroup(of: End.self) { group in
      group.addTask {
        do { return .result(.success(try await attempt())) } catch {
          return .result(.failure(error))
        }
      }
      group.addTask { [time] in
        do { try await time.sleep(untilUptime: deadline) } catch { return .timerCancelled }
        return .timeIsOver
      }
      var result: Result<PreparedStep, any Error>?
      for await end in group {
        switch end {
        case .result(let ended): result = result ?? ended
        // A result after this is too late.
        case .timeIsOver:
          let error = DurableRunnerError.timeLimitExceeded(limit)
          if result == nil { limitError.withLock { $0 = error } }
          result = result ?? .failure(error)
        case .timerCancelled: continue
        }
        group.cancelAll()
      }
      return result
    }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Writes the result of an attempt at a stage.
  ///
  /// - Returns: the stage to work on at once; nil if this worker no longer has the run.
  private func settle(
    _ turn: StageTurn, with result: Result<PreparedStep, any Error>, of activeLease: ActiveLease
  ) async -> StageTurn? {
    do {
      let step = try result.get()
      try checkSize(of: step.next.payload, for: activeLease)
      let claim = activeLease.claim
      var checkpoint = Checkpoint(
        claim: claim, version: turn.version, next: step.next,
        consumedSignals: turn.signal.map { [$0.id] } ?? [], beganAt: turn.beganAt, lease: lease,
        starts: step.outbox.starts, signals: step.outbox.signals, writes: step.outbox.writes)
      checkpoint.isChild = turn.isChild
      if step.following == nil { reports.hold(PendingReports.Claim(claim)) }
      guard let (receipt, leaseBeganAt) = try await commit(checkpoint, of: activeLease) else {
        return nil
      }
      if step.following == nil || receipt == .paused { activeLease.giveBack() }
      report(
        .stageFinished(attempt: turn.number, duration: time.uptime - turn.beganAtUptime),
        of: activeLease)
      if case .completion(let payload) = step.next {
        report(.completed, of: activeLease)
        news.complete(claim.id, with: payload)
      }
      deliver(step)
      if receipt == .paused {
        report(.paused, of: activeLease)
        return nil
      }
      guard let following = step.following else { return nil }
      // Not at each checkpoint: the renewal looks at all leases.
      if activeLease.advance(leaseBeganAt: leaseBeganAt) { leaseWakeEvent.signal() }
      leaveTrial(claim.id)
      news.notify(claim.id, isAtRest: false)
      return StageTurn(
        stage: following, version: turn.version, isChild: turn.isChild, isFollowing: true)
    } catch {
      await fail(activeLease, attempt: turn.attempt, policy: turn.stage.retryPolicy(), error: error)
      return nil
    }
  }

  /// Notifies this process's waiters of the runs that a checkpoint has started and signalled.
  private func deliver(_ step: PreparedStep) {
    let outbox = step.outbox
    let starts = outbox.starts + step.next.children.map(\.start)
    guard !starts.isEmpty || !outbox.signals.isEmpty else { return }
    for start in starts { emit(.started, flow: start.flow, run: start.id) }
    for signal in outbox.signals { news.notify(signal.run) }
    wakeEvent.signal()
  }

  private func fail(
    _ activeLease: ActiveLease, attempt: Int, policy: StageRetryPolicy, error: any Error
  ) async {
    let text = Self.text(of: error)
    // Such as a child's completion: another attempt by this code would not decode it either.
    if let error = error as? PayloadError, error.isOfReading {
      await park(activeLease, .blocked(error: text), as: .blocked(error: text))
      return
    }
    guard attempt < policy.attemptLimit, policy.shouldRetry(error) else {
      await park(activeLease, .dead(error: text), as: .dead(attempts: attempt, error: text))
      return
    }
    let delay = policy.delay(after: attempt, bits: options.random())
    let date = time.now + TimeInterval(delay / .seconds(1))
    await park(
      activeLease, .retry(at: date, error: text),
      as: .retry(attempt: attempt, at: date, error: text))
  }

  func report(_ kind: RunnerEvent.Kind, of activeLease: ActiveLease) {
    let claim = activeLease.claim
    emit(kind, flow: activeLease.flow, run: claim.id, sequence: claim.sequence)
  }

  private func checkSize(of payload: Data, for activeLease: ActiveLease) throws {
    let limits = journal.limits
    if payload.count > limits.error {
      throw JournalError.tooLarge(bytes: payload.count, limit: limits.error)
    }
    if payload.count > limits.warning {
      report(.payloadWarning(bytes: payload.count, limit: limits.warning), of: activeLease)
    }
  }
}
