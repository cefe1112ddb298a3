import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("What can be asked of a call")
@MainActor
struct BuilderTests {
  let provider = HandProvider<Int, Int>()
  let log = Recorder<String>()

  private func integrator(
    _ policy: CallPolicy<Int> = .concurrent, time: ManualTime = ManualTime()
  ) -> Integrator<Int, Int> {
    Integrator(
      provider: provider, policy: policy, errorHandlers: ErrorHandlers(), time: time.source)
  }

  @Test("A builder is a value: each start is a call of its own")
  func value() async {
    let integrator = Integrator(provider: Doubling())
    let prepared = integrator.call(4)
    let recorded = prepared.recording(in: log)
    _ = await prepared.start().outcome
    await turnOfTheMainActor()
    #expect(log.elements == [])
    _ = await recorded.start().outcome
    _ = await recorded.start().outcome
    #expect(await log.elements(atLeast: 6).count == 6)
  }

  // MARK: The await style

  @Test("Awaiting is the same call: handlers, defaults and phase are there, too")
  func awaiting() async throws {
    let integrator = integrator()
    integrator.defaultHandlers = CallHandlers().recording(in: log, as: "default")
    let task = Task { try await integrator(3) }
    await provider.load(0).succeed(6)
    #expect(try await task.value == 6)
    #expect(integrator.phase.text == "loaded 6")
    #expect(
      await log.elements(atLeast: 3) == [
        "default beginning", "default success 6", "default completion success 6",
      ])
    let other = Integrator(provider: Doubling())
    #expect(try await other.call(2).recording(in: log).run() == 4)
  }

  @Test("A failure is thrown")
  func throwing() async {
    let integrator = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    await #expect(throws: Trouble(number: 2)) { try await integrator(2) }
  }

  @Test("A cancelled task gets CancellationError at once, and its call has ended by then")
  func cancelledTask() async {
    let provider = HandProvider<Int, Int>(heedsCancellation: false)
    let integrator = Integrator(provider: provider)
    let task = Task { try await integrator.call(1).recording(in: log).run() }
    let load = await provider.load(0)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(integrator.phase.text == "idle")
    await load.cancellation()
    #expect(await log.elements(atLeast: 2) == ["beginning", "completion cancelled caller"])
    load.succeed(1)
  }

  @Test("A task that was cancelled before makes no load, and its call still ends")
  func cancelledBefore() async {
    let integrator = integrator()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await integrator.call(1).recording(in: log).run()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await log.elements(atLeast: 1) == ["completion cancelled caller"])
    #expect(provider.loadCount == 0)
  }

  @Test("Another cause throws CallCancelled with the reason")
  func otherCauses() async {
    let integrator = integrator(.latest)
    let task = Task { try await integrator(1) }
    _ = await provider.load(0)
    integrator.call(2).start()
    await #expect(throws: CallCancelled(.superseded)) { try await task.value }
    let second = Task { try await integrator(3) }
    _ = await provider.load(2)
    integrator.cancelAll()
    await #expect(throws: CallCancelled(.caller)) { try await second.value }
  }

  @Test("Waiting for a handle's value can be cancelled without cancelling the call")
  func waitingForHandle() async throws {
    let call = { [integrator = integrator()] in (integrator.call(1).start(), integrator) }()
    let waiting = Task { try await call.0.value }
    let load = await provider.load(0)
    await turnOfTheMainActor()
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(call.0.currentOutcome == nil)
    load.succeed(2)
    #expect(try await call.0.value == 2)
    #expect(await call.0.outcome.value == 2)
  }

  // MARK: Delay

  @Test("A delay comes before the beginning, in the time of the integrator")
  func delay() async {
    let time = ManualTime()
    let integrator = integrator(time: time)
    let call = integrator.call(1).delay(.seconds(3)).recording(in: log).start()
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(2_999))
    await turnOfTheMainActor()
    #expect(provider.loadCount == 0 && log.elements == [])
    #expect(integrator.phase.text == "loading")
    time.advance(by: .milliseconds(1))
    await provider.load(0).succeed(1)
    #expect(await call.outcome.value == 1)
    #expect(log.elements.first == "beginning")
  }

  @Test("A delayed call that is cancelled never loads")
  func delayCancelled() async {
    let time = ManualTime()
    let integrator = integrator(time: time)
    let call = integrator.call(1).delay(.seconds(3)).recording(in: log).start()
    await time.sleepers(atLeast: 1)
    call.cancel()
    #expect(call.currentOutcome?.text == "cancelled caller")
    #expect(await log.elements(atLeast: 1) == ["completion cancelled caller"])
    time.advance(by: .seconds(9))
    await turnOfTheMainActor()
    #expect(provider.loadCount == 0)
  }

  @Test("Delay and debounce add up, and in a queue the delay begins with the turn")
  func delayAndPolicy() async {
    let time = ManualTime()
    let latest = integrator(.latest(debounce: .seconds(1)), time: time)
    latest.call(1).delay(.seconds(1)).start()
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(1_999))
    #expect(provider.loadCount == 0)
    time.advance(by: .milliseconds(1))
    await provider.load(0).succeed(1)
    let queue = integrator(.queue(), time: time)
    queue.call(2).start()
    queue.call(3).delay(.seconds(1)).start()
    time.advance(by: .seconds(5))
    await provider.load(1).succeed(1)
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(await provider.load(2).parameters == 3)
  }

  // MARK: Retry

  @Test("Nothing is attempted again unless asked for")
  func noRetry() async {
    let integrator = integrator()
    let call = integrator.call(1).start()
    await provider.load(0).fail(Trouble(number: 1))
    #expect(await call.outcome.text == "failure 1")
    #expect(provider.loadCount == 1)
  }

  @Test("A retried call hears each retry, has one beginning and one end")
  func retry() async {
    let time = ManualTime()
    let integrator = integrator(time: time)
    let policy = RetryPolicy(maximumAttempts: 3, baseDelay: .zero)
    let call = integrator.call(1).retry(policy).recording(in: log).start()
    await provider.load(0).fail(Trouble(number: 1))
    await provider.load(1).fail(Trouble(number: 2))
    await provider.load(2).succeed(5)
    #expect(await call.outcome.value == 5)
    #expect(
      await log.elements(atLeast: 5) == [
        "beginning", "retry 2", "retry 3", "success 5", "completion success 5",
      ])
  }

  @Test("What a failed attempt still reports is dropped")
  func lateReports() async {
    let integrator = integrator()
    let call = integrator.call(1).retry(RetryPolicy(maximumAttempts: 2, baseDelay: .zero))
      .onEarlyValue { [log] in log.record("early \($0)") }
      .onProgress { [log] in log.record("progress \($0)") }
      .start()
    let first = await provider.load(0)
    first.events.early(1)
    first.fail(Trouble())
    let second = await provider.load(1)
    first.events.early(2)
    first.events.progress(.indeterminate)
    second.events.early(3)
    second.succeed(4)
    _ = await call.outcome
    await turnOfTheMainActor()
    #expect(log.elements == ["early 1", "early 3"])
  }

  @Test("The budget is fresh for each call, and the last error is the failure")
  func retryBudget() async {
    let integrator = integrator()
    let prepared = integrator.call(1).retry(RetryPolicy(maximumAttempts: 2, baseDelay: .zero))
    for round in 0..<3 {
      let call = prepared.start()
      await provider.load(round * 2).fail(Trouble(number: 1))
      await provider.load(round * 2 + 1).fail(Trouble(number: 2))
      #expect(await call.outcome.text == "failure 2")
      #expect(provider.loadCount == round * 2 + 2)
    }
  }

  @Test("Cancelled while it waits for the next attempt, a call makes none")
  func cancelledInBackoff() async {
    let time = ManualTime()
    let integrator = integrator(time: time)
    let policy = RetryPolicy(
      maximumAttempts: 9, baseDelay: .seconds(60), maximumDelay: .seconds(60),
      makeGenerator: { SeededGenerator(seed: 1) })
    let call = integrator.call(1).retry(policy).start()
    await provider.load(0).fail(Trouble())
    await time.sleepers(atLeast: 1)
    call.cancel()
    #expect(call.currentOutcome?.text == "cancelled caller")
    time.advance(by: .seconds(999))
    await turnOfTheMainActor()
    #expect(provider.loadCount == 1)
  }

  // MARK: Recovery and ignoring

  @Test("A failure can be mended and the load made again, say with a new token")
  func recoverAgain() async {
    let integrator = integrator()
    let log = log
    let call = integrator.call(1).recording(in: log)
      .recover { error in
        log.record("mended \((error as? Trouble)?.number ?? 0)")
        return .again
      }
      .start()
    await log.elements(atLeast: 1)
    await provider.load(0).fail(Trouble(number: 401))
    await provider.load(1).succeed(1)
    #expect(await call.outcome.text == "success 1")
    #expect(
      await log.elements(atLeast: 4) == [
        "beginning", "mended 401", "success 1", "completion success 1",
      ])
  }

  @Test("It is asked so many times at most, then the failure stands", arguments: [0, 1, 3])
  func recoverLimit(limit: Int) async {
    let integrator = integrator()
    let call = integrator.call(1).recover(limit: limit) { _ in .again }.start()
    for number in 0...limit { await provider.load(number).fail(Trouble(number: number)) }
    #expect(await call.outcome.text == "failure \(limit)")
  }

  @Test("It may give a value, let the failure stand, fail by itself or cancel", arguments: 0..<4)
  func recoverOtherwise(kind: Int) async {
    let integrator = integrator()
    let call = integrator.call(1)
      .recover { _ in
        switch kind {
        case 0: return .value(7)
        case 1: return .fail
        case 2: throw Trouble(number: 8)
        default: throw CancellationError()
        }
      }
      .start()
    await provider.load(0).fail(Trouble(number: 1))
    #expect(
      await call.outcome.text
        == ["success 7", "failure 1", "failure 8", "cancelled caller"][kind])
    #expect(integrator.phase.text == ["loaded 7", "failed 1", "failed 8", "idle"][kind])
  }

  @Test("Retries come first; after it has been mended there is a fresh budget")
  func recoverAfterRetries() async {
    let integrator = integrator()
    let asked = Recorder<Int>()
    let call = integrator.call(1)
      .retry(RetryPolicy(maximumAttempts: 2, baseDelay: .zero))
      .recover { error in
        asked.record((error as? Trouble)?.number ?? -1)
        return .again
      }
      .start()
    for number in 0..<3 { await provider.load(number).fail(Trouble(number: number)) }
    await provider.load(3).succeed(1)
    #expect(await call.outcome.value == 1)
    #expect(asked.elements == [1])
  }

  @Test("A cancellation is not mended", arguments: [true, false])
  func recoverNotFromCancellation(byProvider: Bool) async {
    let integrator = integrator()
    let asked = Recorder<Int>()
    let call = integrator.call(1)
      .recover { _ in
        asked.record(1)
        return .again
      }
      .start()
    let load = await provider.load(0)
    if byProvider { load.fail(CallCancelled(.busy)) } else { call.cancel() }
    #expect(await call.outcome.text == (byProvider ? "cancelled busy" : "cancelled caller"))
    await turnOfTheMainActor()
    #expect(asked.count == 0 && provider.loadCount == 1)
  }

  @Test("Ignored errors reach no error handler and not the phase, but the outcome")
  func ignoring() async {
    let shared = ErrorHandlers()
    let log = log
    let registration = shared.add { _ in
      log.record("shared")
      return .handled
    }
    let integrator = Integrator(provider: Failing(), errorHandlers: shared)
    integrator.defaultHandlers = CallHandlers().onError { _ in log.record("default") }
    for builder in [
      integrator.call(5).ignoring(Trouble.self),
      integrator.call(5).ignoring(CancellationError.self).ignoring { $0 is Trouble },
    ] {
      let call = builder.recording(in: log).start()
      #expect(await call.outcome.text == "failure 5")
      #expect(await log.elements(atLeast: 2) == ["beginning", "completion failure 5"])
      #expect(integrator.phase.text == "idle")
      log.removeAll()
    }
    _ = await integrator.call(6).ignoring(CancellationError.self).start().outcome
    #expect(await log.elements(atLeast: 2) == ["default", "shared"])
    #expect(integrator.phase.text == "failed 6")
    registration.cancel()
  }

  // MARK: Next

  @Test("The next call starts after the completion, with what the first came to", arguments: 0..<3)
  func next(kind: Int) async {
    let first = integrator()
    let other = Integrator(provider: Doubling())
    let log = log
    let call = first.call(1)
      .next { other.call($0).recording(in: log, as: "short") }
      .next(on: .success) { other.call($0 + 1).recording(in: log, as: "success") }
      .next(on: .error) { (error: any Error) -> CallBuilder<Int>? in
        log.record("error \(error)")
        return nil
      }
      .next(on: .completion) { outcome in
        other.call(0).recording(in: log, as: outcome.text)
      }
      .onCompletion { _ in log.record("completion") }
      .start()
    let load = await provider.load(0)
    switch kind {
    case 0: load.succeed(10)
    case 1: load.fail(Trouble(number: 1))
    default: call.cancel()
    }
    let heard = await log.elements(atLeast: [10, 5, 4][kind])
    #expect(heard.first == "completion")
    let text = ["success 10", "failure 1", "cancelled caller"][kind]
    #expect(heard.contains("\(text) success 0"))
    #expect(heard.contains("short success 20") == (kind == 0))
    #expect(heard.contains("success success 22") == (kind == 0))
    #expect(heard.contains("error Trouble(number: 1)") == (kind == 1))
  }

  // MARK: An integrator as a provider

  @Test("100,000 calls that follow each other are released on any stack")
  func longChain() async {
    let integrator = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    var builder = integrator.call(0)
    for number in 1..<100_000 {
      let next = builder
      builder = integrator.call(number).next { _ in next }
    }
    #expect(await builder.start().outcome.text == "failure 99999")
  }

  @Test("An integrator is the provider of another, with progress, early values and cancellation")
  func asProvider() async {
    let inner = integrator()
    let outer = Integrator(provider: inner.asProvider(), errorHandlers: ErrorHandlers())
    var call = outer.call(1).recording(in: log).start()
    var load = await provider.load(0)
    load.events.progress(.fraction(0.5))
    load.events.early(3)
    load.succeed(4)
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 5) == [
        "beginning", "progress fraction(0.5)", "early 3", "success 4", "completion success 4",
      ])
    #expect(inner.phase.text == "loaded 4")
    call = outer.call(2).start()
    load = await provider.load(1)
    call.cancel()
    await load.cancellation()
    call = outer.call(3).start()
    await provider.load(2).fail(Trouble(number: 3))
    #expect(await call.outcome.text == "failure 3")
  }

  @Test("What ends the inner call ends the outer one as cancelled, for the same reason")
  func asProviderSuperseded() async {
    let inner = integrator(.latest)
    let outer = Integrator(provider: inner.asProvider())
    let call = outer.call(1).start()
    _ = await provider.load(0)
    inner.call(2).start()
    #expect(await call.outcome.text == "cancelled superseded")
    #expect(outer.phase.text == "idle")
  }
}
