import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Calls that share a load, and what is asked of one of them alone")
@MainActor
struct JoinTests {
  let provider = HandProvider<Int, Int>()
  let log = Recorder<String>()
  let twice = RetryPolicy(maximumAttempts: 2, baseDelay: .zero)

  private var integrator: Integrator<Int, Int> {
    Integrator(provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers())
  }

  @Test(
    "A call's own retry follows the shared load, whether it came first or later", arguments: 0..<2)
  func ownRetry(place: Int) async {
    let integrator = integrator
    let calls = (0..<2).map { number in
      let call = integrator.call(1).recording(in: log, as: "\(number)")
      return (number == place ? call.retry(twice) : call).start()
    }
    await provider.load(0).fail(Trouble(number: 3))
    #expect(await calls[1 - place].outcome.text == "failure 3")
    let load = await provider.load(1)
    #expect(calls[place].currentOutcome == nil && integrator.phase.text == "loading")
    load.succeed(5)
    #expect(await calls[place].outcome.text == "success 5")
    #expect(integrator.phase.text == "loaded 5" && provider.loadCount == 2)
    let heard = await log.elements(atLeast: 7)
    #expect(
      heard.filter { $0.hasPrefix("\(place)") } == [
        "\(place) beginning", "\(place) retry 2", "\(place) success 5",
        "\(place) completion success 5",
      ])
  }

  @Test("The shared load counts as the first attempt")
  func budget() async {
    let integrator = integrator
    let leader = integrator.call(1).start()
    let follower = integrator.call(1).retry(twice).start()
    await provider.load(0).fail(Trouble(number: 1))
    await provider.load(1).fail(Trouble(number: 2))
    #expect(await follower.outcome.text == "failure 2")
    #expect(await leader.outcome.text == "failure 1")
    #expect(integrator.phase.text == "failed 2" && provider.loadCount == 2)
  }

  @Test("A recovery is applied to the call that asked for it, and to no other", arguments: 0..<2)
  func ownRecovery(place: Int) async {
    let integrator = integrator
    let calls = (0..<2).map { number in
      let call = integrator.call(1)
      return (number == place ? call.recover { _ in .value(7) } : call).start()
    }
    await provider.load(0).fail(Trouble(number: 4))
    #expect(await calls[place].outcome.text == "success 7")
    #expect(await calls[1 - place].outcome.text == "failure 4")
    #expect(provider.loadCount == 1)
  }

  @Test("A recovery may have the load made again, for this call alone")
  func recoverAgain() async {
    let integrator = integrator
    let leader = integrator.call(1).start()
    let follower = integrator.call(1).recover { _ in .again }.start()
    await provider.load(0).fail(Trouble(number: 4))
    await provider.load(1).succeed(8)
    #expect(await follower.outcome.text == "success 8")
    #expect(await leader.outcome.text == "failure 4")
  }

  @Test("Errors are ignored for the call that asked for it", arguments: 0..<2)
  func ownIgnoring(place: Int) async {
    let integrator = integrator
    let calls = (0..<2).map { number in
      let call = integrator.call(1).recording(in: log, as: "\(number)")
      return (number == place ? call.ignoring(Trouble.self) : call).start()
    }
    await provider.load(0).fail(Trouble(number: 4))
    for call in calls { #expect(await call.outcome.text == "failure 4") }
    let heard = await log.elements(atLeast: 5)
    #expect(heard.filter { $0.contains("error") } == ["\(1 - place) error 4"])
    #expect(integrator.phase.text == "failed 4")
  }

  @Test("Several go on, each by itself, and nobody joins them")
  func severalGoOn() async {
    let integrator = integrator
    let calls = (0..<3).map { _ in integrator.call(1).retry(twice).start() }
    await provider.load(0).fail(Trouble(number: 1))
    for number in 1...3 { _ = await provider.load(number) }
    #expect(integrator.phase.text == "loading")
    let later = integrator.call(1).start()
    let own = await provider.load(4)
    for number in 1...3 { await provider.load(number).succeed(number) }
    var values: Set<Int> = []
    for call in calls { if let value = await call.outcome.value { values.insert(value) } }
    #expect(values == [1, 2, 3] && later.currentOutcome == nil)
    own.succeed(9)
    #expect(await later.outcome.value == 9)
  }

  @Test("A call that goes on is cancelled alone, and its work with it", arguments: [false, true])
  func cancelled(byRelease: Bool) async {
    var integrator: Integrator<Int, Int>? = integrator
    let leader = integrator?.call(1).start()
    let follower = integrator?.call(1).retry(twice).start()
    await provider.load(0).fail(Trouble(number: 1))
    let load = await provider.load(1)
    if byRelease { integrator = nil } else { follower?.cancel() }
    await load.cancellation()
    #expect(follower?.currentOutcome?.cancellation == (byRelease ? .released : .caller))
    #expect(await leader?.outcome.text == "failure 1")
    if let integrator { #expect(integrator.phase.text == "failed 1") }
  }

  @Test("A value that is older than a local change does not come back by a shared load's retry")
  func revisions() async {
    let integrator = integrator
    integrator.receive(1)
    let leader = integrator.call(1).start()
    let follower = integrator.call(1).retry(twice).start()
    await provider.load(0).fail(Trouble(number: 1))
    let load = await provider.load(1)
    _ = await leader.outcome
    integrator.receive(2)
    load.succeed(3)
    #expect(await follower.outcome.value == 3)
    #expect(integrator.phase.text == "loaded 2")
  }

  @Test(
    "Each of very many calls can leave in constant time, and the others hear on in order",
    .timeLimit(.minutes(20)))
  func leaving() async {
    let integrator = integrator
    let calls = (0..<100_000).map { _ in integrator.call(1).start() }
    let last = (0..<3).map { integrator.call(1).recording(in: log, as: "\($0)").start() }
    for call in calls { call.cancel() }
    last[1].cancel()
    await provider.load(0).succeed(5)
    #expect(await last[2].outcome.text == "success 5")
    let heard = await log.elements(atLeast: 8)
    #expect(
      heard.filter { $0.hasSuffix("completion success 5") } == [
        "0 completion success 5", "2 completion success 5",
      ])
    #expect(provider.loadCount == 1)
  }

  // MARK: A delay

  @Test("A call does not wait for the delay of another, and both share a load", arguments: 0..<2)
  func ownDelay(place: Int) async {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers(), time: time.source)
    let calls = (0..<2).map { number in
      let call = integrator.call(1).recording(in: log, as: number == place ? "late" : "early")
      return (number == place ? call.delay(.seconds(5)).retry(twice) : call).start()
    }
    let load = await provider.load(0)
    load.events.progress(.fraction(0.5))
    await time.sleepers(atLeast: 1)
    #expect(await log.elements(atLeast: 2) == ["early beginning", "early progress fraction(0.5)"])
    time.advance(by: .seconds(5))
    #expect(
      await log.elements(atLeast: 4).suffix(2) == ["late beginning", "late progress fraction(0.5)"])
    #expect(provider.loadCount == 1 && integrator.phase.text == "loading")
    load.fail(Trouble(number: 1))
    #expect(await calls[1 - place].outcome.text == "failure 1")
    // Its own retry still follows the shared load.
    await provider.load(1).succeed(2)
    #expect(await calls[place].outcome.text == "success 2")
    #expect(integrator.phase.text == "loaded 2")
  }

  @Test("A call whose delay ends after the shared load begins one, which others join")
  func longDelay() async {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers(), time: time.source)
    let delayed = (0..<2).map { number in
      integrator.call(1).delay(.seconds(5)).recording(in: log, as: "\(number)").start()
    }
    let first = integrator.call(1).start()
    await provider.load(0).succeed(1)
    #expect(await first.outcome.value == 1)
    await time.sleepers(atLeast: 2)
    time.advance(by: .seconds(5))
    let load = await provider.load(1)
    let later = integrator.call(1).start()
    // Which of the two wakes first is not said.
    #expect(Set(await log.elements(atLeast: 2)) == ["0 beginning", "1 beginning"])
    load.succeed(2)
    for call in delayed + [later] { #expect(await call.outcome.value == 2) }
    #expect(provider.loadCount == 2)
  }

  @Test("A call that is cancelled during its delay leaves the shared load alone")
  func cancelledDelay() async {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers(), time: time.source)
    let delayed = integrator.call(1).delay(.seconds(5)).start()
    let call = integrator.call(1).start()
    await time.sleepers(atLeast: 1)
    delayed.cancel()
    #expect(delayed.currentOutcome?.text == "cancelled caller")
    await provider.load(0).succeed(1)
    #expect(await call.outcome.value == 1)
    time.advance(by: .seconds(5))
    #expect(provider.loadCount == 1 && integrator.phase.text == "loaded 1")
  }

  // MARK: A retry for all

  @Test("The integrator's retry is shared, too, and all hear of it")
  func sharedRetry() async {
    let integrator = integrator
    integrator.retry = twice
    let calls = (0..<3).map { integrator.call(1).recording(in: log, as: "\($0)").start() }
    await provider.load(0).fail(Trouble(number: 1))
    await provider.load(1).succeed(6)
    for call in calls { #expect(await call.outcome.value == 6) }
    #expect(provider.loadCount == 2)
    let heard = await log.elements(atLeast: 12)
    #expect(heard.filter { $0.hasSuffix("retry 2") }.count == 3)
  }

  @Test("The integrator's retry is that of each call, unless the call has its own")
  func defaultRetry() async {
    let integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
    let prepared = integrator.call(1)
    let before = prepared.start()
    await provider.load(0).fail(Trouble(number: 0))
    #expect(await before.outcome.text == "failure 0")
    integrator.retry = twice
    #expect(integrator.retry?.maximumAttempts == 2)
    let all = prepared.start()
    await provider.load(1).fail(Trouble(number: 1))
    await provider.load(2).fail(Trouble(number: 2))
    #expect(await all.outcome.text == "failure 2")
    let own = prepared.retry(RetryPolicy(maximumAttempts: 1)).start()
    await provider.load(3).fail(Trouble(number: 3))
    #expect(await own.outcome.text == "failure 3")
    integrator.retry = nil
    let none = prepared.start()
    await provider.load(4).fail(Trouble(number: 4))
    #expect(await none.outcome.text == "failure 4")
    #expect(provider.loadCount == 5)
  }

  @Test("After a recovery that asks for it the integrator's retry has a fresh budget")
  func retryAfterRecovery() async {
    let integrator = integrator
    integrator.retry = twice
    let call = integrator.call(1).recover { _ in .again }.start()
    for number in 0..<3 { await provider.load(number).fail(Trouble(number: number)) }
    await provider.load(3).succeed(1)
    #expect(await call.outcome.text == "success 1")
  }
}
