import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Policies for calls that overlap")
@MainActor
struct PolicyTests {
  let provider = HandProvider<Int, Int>()
  let deaf = HandProvider<Int, Int>(heedsCancellation: false)
  let log = Recorder<String>()

  // MARK: Concurrent

  @Test("Concurrent calls run beside each other, each with its own result")
  func concurrent() async throws {
    let integrator = Integrator(provider: provider)
    let calls = [1, 2, 3].map { integrator.call($0).start() }
    for number in 0..<3 {
      let load = await provider.load(number)
      load.succeed(load.parameters * 10)
    }
    for (index, call) in calls.enumerated() { #expect(try await call.value == (index + 1) * 10) }
  }

  @Test("Of concurrent calls the phase shows that which began last, whichever ends last")
  func concurrentPhase() async {
    let integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
    let first = integrator.call(1).start()
    let load = await provider.load(0)
    let second = integrator.call(2).start()
    await provider.load(1).succeed(20)
    _ = await second.outcome
    #expect(integrator.phase.text == "loading 20")
    load.succeed(10)
    #expect(await first.outcome.value == 10)
    #expect(integrator.phase.text == "loaded 20")
  }

  @Test("An error that a newer success outdates is not shown")
  func outdatedError() async {
    let integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
    let first = integrator.call(1).start()
    let load = await provider.load(0)
    let second = integrator.call(2).start()
    await provider.load(1).succeed(20)
    _ = await second.outcome
    load.fail(Trouble())
    _ = await first.outcome
    #expect(integrator.phase.text == "loaded 20")
  }

  @Test("A value of a call that began before the one that failed is shown beside the error")
  func valueBeforeError() async {
    let integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
    let first = integrator.call(1).start()
    let load = await provider.load(0)
    let second = integrator.call(2).start()
    await provider.load(1).fail(Trouble(number: 2))
    _ = await second.outcome
    load.succeed(10)
    _ = await first.outcome
    #expect(integrator.phase.text == "failed 2 10")
  }

  // MARK: Reject

  @Test("With reject the second call ends busy without a load, the first goes on")
  func reject() async {
    let integrator = Integrator(provider: provider, policy: .only(.reject))
    let first = integrator.call(1).start()
    let second = integrator.call(1).recording(in: log).start()
    #expect(second.currentOutcome?.text == "cancelled busy")
    await provider.load(0).succeed(5)
    #expect(await first.outcome.value == 5)
    let third = integrator.call(3).start()
    await provider.load(1).succeed(6)
    #expect(await third.outcome.value == 6)
    #expect(provider.loadCount == 2)
    #expect(log.elements == ["completion cancelled busy"])
  }

  @Test("With reject a new call may run once the first was cancelled, though its work goes on")
  func rejectAfterCancel() async {
    let integrator = Integrator(provider: deaf, policy: .only(.reject))
    let first = integrator.call(1).start()
    let late = await deaf.load(0)
    first.cancel()
    let second = integrator.call(2).start()
    let load = await deaf.load(1)
    late.succeed(1)
    await turnOfTheMainActor()
    #expect(integrator.call(3).start().currentOutcome?.text == "cancelled busy")
    load.succeed(2)
    #expect(await second.outcome.value == 2)
    #expect(integrator.phase.text == "loaded 2")
  }

  @Test("A rejected call leaves the phase as it was")
  func rejectedPhase() async throws {
    let integrator = Integrator(provider: provider, policy: .only(.reject))
    let first = integrator.call(1).start()
    #expect(integrator.phase.text == "loading")
    integrator.call(2).start()
    #expect(integrator.phase.text == "loading")
    first.cancel()
    #expect(integrator.phase.text == "idle")
  }

  @Test("The throwing form tells that a call was busy")
  func busyThrows() async {
    let integrator = Integrator(provider: provider, policy: .only(.reject))
    integrator.call(1).start()
    await #expect(throws: CallCancelled(.busy)) { try await integrator(2) }
  }

  // MARK: Join

  @Test("With join equal parameters share one load, others run")
  func join() async {
    let integrator = Integrator(provider: provider, policy: .only(.join))
    let calls = [1, 1, 2, 1].map { integrator.call($0).start() }
    let loads = [await provider.load(0), await provider.load(1)]
    for load in loads { load.succeed(load.parameters * 10) }
    var values: [Int?] = []
    for call in calls { values.append(await call.outcome.value) }
    #expect(values == [10, 10, 20, 10])
    #expect(provider.loadCount == 2)
    // What has ended is shared no more.
    let later = integrator.call(1).start()
    await provider.load(2).succeed(11)
    #expect(await later.outcome.value == 11)
  }

  @Test("A joined call hears its beginning and what it has missed")
  func joinLate() async {
    let integrator = Integrator(provider: provider, policy: .only(.join))
    integrator.call(1).start()
    let load = await provider.load(0)
    load.events.progress(.fraction(0.25))
    load.events.progress(.fraction(0.5))
    load.events.early(7)
    await turnOfTheMainActor()
    let call = integrator.call(1).recording(in: log).start()
    load.events.progress(.fraction(1))
    load.succeed(8)
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 6) == [
        "beginning", "progress fraction(0.5)", "early 7", "progress fraction(1.0)", "success 8",
        "completion success 8",
      ])
  }

  @Test("A failure is everybody's", arguments: [2, 5])
  func joinFailure(count: Int) async {
    let integrator = Integrator(
      provider: provider, policy: .only(.join), errorHandlers: ErrorHandlers())
    let calls = (0..<count).map { _ in integrator.call(1).start() }
    await provider.load(0).fail(Trouble(number: 3))
    for call in calls { #expect(await call.outcome.text == "failure 3") }
  }

  @Test("One caller's cancel fails nobody else, and the last one's stops the work")
  func joinCancel() async {
    let integrator = Integrator(provider: provider, policy: .only(.join))
    let leader = integrator.call(1).start()
    let follower = integrator.call(1).start()
    let third = integrator.call(1).start()
    let load = await provider.load(0)
    leader.cancel()
    #expect(leader.currentOutcome?.text == "cancelled caller")
    third.cancel()
    #expect(third.currentOutcome?.text == "cancelled caller")
    #expect(follower.currentOutcome == nil && !load.isCancelled)
    // The work is still shared, though its first caller has left.
    let fourth = integrator.call(1).start()
    follower.cancel()
    #expect(!load.isCancelled)
    fourth.cancel()
    await load.cancellation()
    // Nobody takes part in work that was stopped.
    let fifth = integrator.call(1).start()
    await provider.load(1).succeed(9)
    #expect(await fifth.outcome.value == 9)
  }

  @Test("Waiting tasks that are cancelled leave at once, and the others get the value")
  func joinTasks() async throws {
    let integrator = Integrator(provider: deaf, policy: .only(.join))
    let leader = Task { try await integrator(1) }
    let load = await deaf.load(0)
    let follower = Task { try await integrator(1) }
    await turnOfTheMainActor()
    leader.cancel()
    await #expect(throws: CancellationError.self) { try await leader.value }
    load.succeed(4)
    #expect(try await follower.value == 4)
    #expect(deaf.loadCount == 1)
  }

  @Test("Calls without parameters join each other")
  func joinVoid() async throws {
    let provider = HandProvider<Void, Int>()
    let integrator = Integrator(provider: provider, policy: .only(.join))
    let calls = [integrator.call().start(), integrator.call().start()]
    await provider.load(0).succeed(3)
    for call in calls { #expect(try await call.value == 3) }
    #expect(provider.loadCount == 1)
  }

  // MARK: Queue

  @Test("A queue runs one at a time, in order")
  func queue() async {
    let integrator = Integrator(provider: provider, policy: .queue())
    let calls = (0..<3).map { integrator.call($0).recording(in: log, as: "\($0)").start() }
    for number in 0..<3 {
      let load = await provider.load(number)
      #expect(load.parameters == number && provider.loadCount == number + 1)
      load.succeed(number)
      _ = await calls[number].outcome
    }
    #expect(
      await log.elements(atLeast: 9)
        == (0..<3).flatMap {
          ["\($0) beginning", "\($0) success \($0)", "\($0) completion success \($0)"]
        })
  }

  @Test("The one over the limit of those who wait ends busy", arguments: [-1, 0, 1, 3])
  func queueLimit(limit: Int) async {
    let integrator = Integrator(provider: provider, policy: .queue(limit: limit))
    let calls = (0..<6).map { integrator.call($0).start() }
    let busy = calls.map { $0.currentOutcome?.cancellation == .busy }
    #expect(busy == (0..<6).map { $0 > max(0, limit) })
  }

  @Test("A call that leaves the queue makes room and never runs")
  func queueLeave() async {
    let integrator = Integrator(provider: provider, policy: .queue(limit: 1))
    let first = integrator.call(0).start()
    let second = integrator.call(1).start()
    second.cancel()
    let third = integrator.call(2).start()
    #expect(third.currentOutcome == nil)
    await provider.load(0).succeed(0)
    _ = await first.outcome
    #expect(await provider.load(1).parameters == 2)
  }

  @Test(
    "A failed or cancelled call gives its turn on, also when its work goes on", arguments: 0..<2)
  func queueGoesOn(kind: Int) async {
    let integrator = Integrator(
      provider: deaf, policy: .queue(), errorHandlers: ErrorHandlers())
    let first = integrator.call(0).start()
    let second = integrator.call(1).start()
    let load = await deaf.load(0)
    if kind == 0 { load.fail(Trouble()) } else { first.cancel() }
    await deaf.load(1).succeed(10)
    #expect(await second.outcome.value == 10)
    load.succeed(5)
    await turnOfTheMainActor()
    #expect(integrator.phase.text == "loaded 10")
  }

  // MARK: Latest

  @Test("With latest the old call ends at once as superseded, the new one does not wait for it")
  func latest() async {
    let integrator = Integrator(provider: deaf, policy: .latest)
    let first = integrator.call(1).recording(in: log, as: "1").start()
    let old = await deaf.load(0)
    let second = integrator.call(2).recording(in: log, as: "2").start()
    #expect(first.currentOutcome?.text == "cancelled superseded")
    await old.cancellation()
    await deaf.load(1).succeed(20)
    #expect(await second.outcome.value == 20)
    // The uncooperative provider answers late, early values and progress included.
    old.events.early(8)
    old.events.progress(.indeterminate)
    old.succeed(9)
    await turnOfTheMainActor()
    #expect(integrator.phase.text == "loaded 20")
    #expect(
      await log.elements(atLeast: 5) == [
        "1 beginning", "1 completion cancelled superseded", "2 beginning", "2 success 20",
        "2 completion success 20",
      ])
  }

  @Test("A late result that comes before the new one is dropped, too")
  func latestLateFirst() async {
    let integrator = Integrator(provider: deaf, policy: .latest)
    integrator.call(1).start()
    let old = await deaf.load(0)
    let second = integrator.call(2).start()
    let new = await deaf.load(1)
    old.succeed(9)
    await turnOfTheMainActor()
    #expect(integrator.phase.text == "loading")
    new.succeed(20)
    _ = await second.outcome
    #expect(integrator.phase.text == "loaded 20")
  }

  @Test("Under debounce every replaced call ends, and only the last one loads")
  func debounce() async throws {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .latest(debounce: .seconds(1)), time: time.source)
    var calls: [Call<Int>] = []
    for number in 0..<5 {
      calls.append(integrator.call(number).recording(in: log, as: "\(number)").start())
      #expect(
        calls.dropLast().last?.currentOutcome.map(\.text) ?? "cancelled superseded"
          == "cancelled superseded")
    }
    await time.sleepers(atLeast: 1)
    #expect(integrator.phase.isLoading)
    time.advance(by: .milliseconds(999))
    await turnOfTheMainActor()
    #expect(provider.loadCount == 0)
    time.advance(by: .milliseconds(1))
    await provider.load(0).succeed(40)
    #expect(try await calls[4].value == 40)
    #expect(provider.loadCount == 1)
    #expect(
      await log.elements(atLeast: 7)
        == (0..<4).map { "\($0) completion cancelled superseded" } + [
          "4 beginning", "4 success 40", "4 completion success 40",
        ])
  }

  @Test("A call that waits for its debounce can be cancelled")
  func debounceCancel() async {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .latest(debounce: .seconds(1)), time: time.source)
    let call = integrator.call(1).start()
    await time.sleepers(atLeast: 1)
    call.cancel()
    #expect(call.currentOutcome?.text == "cancelled caller")
    #expect(integrator.phase.text == "idle")
    integrator.call(2).start()
    time.advance(by: .seconds(5))
    #expect(await provider.load(0).parameters == 2)
    #expect(provider.loadCount == 1)
  }

  @Test("A call under way is superseded as soon as a newer one waits for its debounce")
  func debounceSupersedes() async {
    let time = ManualTime()
    let integrator = Integrator(
      provider: provider, policy: .latest(debounce: .seconds(1)), time: time.source)
    let first = integrator.call(1).start()
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    let load = await provider.load(0)
    integrator.call(2).start()
    #expect(first.currentOutcome?.text == "cancelled superseded")
    await load.cancellation()
  }

  /// Does something as soon as its load is cancelled, on whatever thread that is.
  struct Reacting: DataProvider {
    let arrivals = Recorder<Int>()
    let onCancel: @Sendable () -> Void

    @concurrent
    func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
      if number == 3 { return 30 }
      let gate = Gate()
      return try await withTaskCancellationHandler {
        arrivals.record(number)
        try await gate.waitUnlessCancelled()
        return number
      } onCancel: {
        onCancel()
      }
    }
  }

  @Test(
    "Whoever learns of a cancellation may start another call at once", arguments: [true, false])
  func reactingToCancellation(isQueue: Bool) async {
    let box = Locked<Integrator<Int, Int>?>(nil)
    let third = Locked<Call<Int>?>(nil)
    let isStarted = Flag()
    let provider = Reacting {
      // A load that was cancelled before it began learns of it on the pool.
      guard MainDispatch.isOnMain else { return }
      MainActor.assumeIsolated {
        // The third cancels the second, which may have begun: it reacts before there is a third.
        guard isStarted.set() else { return }
        let call = box.withLock { $0 }?.call(3).start()
        third.withLock { $0 = call }
      }
    }
    let integrator = Integrator(provider: provider, policy: isQueue ? .queue(limit: 1) : .latest)
    box.withLock { $0 = integrator }
    defer { box.withLock { $0 = nil } }
    let first = integrator.call(1).start()
    await provider.arrivals.elements(atLeast: 1)
    let second = integrator.call(2).start()
    if isQueue { first.cancel() }
    #expect(first.currentOutcome?.text == (isQueue ? "cancelled caller" : "cancelled superseded"))
    if isQueue {
      await provider.arrivals.elements(atLeast: 2)
      second.cancel()
    } else {
      #expect(second.currentOutcome?.text == "cancelled superseded")
    }
    #expect(await third.withLock { $0 }?.outcome.text == "success 30")
    #expect(integrator.phase.text == "loaded 30")
  }

  // MARK: All policies

  nonisolated static let policies: [(String, CallPolicy<Int>)] = [
    ("concurrent", .concurrent), ("join", .only(.join)), ("reject", .only(.reject)),
    ("queue", .queue(limit: 3)), ("latest", .latest),
    ("debounced", .latest(debounce: .seconds(1))),
  ]

  @Test("Releasing the integrator ends all with released", arguments: policies.indices)
  func released(index: Int) async {
    defer { deaf.close() }
    let policy = Self.policies[index].1
    let time = ManualTime()
    var integrator: Integrator? = Integrator(provider: deaf, policy: policy, time: time.source)
    let calls = (0..<4).map { integrator!.call($0 / 2).recording(in: log).start() }
    let open = calls.filter { $0.currentOutcome == nil }
    #expect(!open.isEmpty)
    let waiting = integrator?.call(7)
    let watched = { [weak integrator] in integrator }
    integrator = nil
    #expect(watched() == nil)
    for call in open { #expect(call.currentOutcome?.text == "cancelled released") }
    #expect(waiting?.start().currentOutcome?.text == "cancelled released")
    let ends = await log.elements(atLeast: 4).filter { $0.hasPrefix("completion") }
    #expect(ends.count == 4)
  }

  @Test(
    "cancelAll() ends all, in order, and the integrator can be used again",
    arguments: policies.indices)
  func cancelAll(index: Int) async {
    defer { deaf.close() }
    let time = ManualTime()
    let integrator = Integrator(
      provider: deaf, policy: Self.policies[index].1, time: time.source)
    let calls = (0..<4).map { integrator.call($0 / 2).recording(in: log, as: "\($0)").start() }
    let open = calls.indices.filter { calls[$0].currentOutcome == nil }
    await turnOfTheMainActor()
    log.removeAll()
    integrator.cancelAll()
    #expect(log.elements == [])
    for index in open { #expect(calls[index].currentOutcome?.text == "cancelled caller") }
    #expect(
      await log.elements(atLeast: open.count).map { String($0.prefix(1)) }
        == (index == 1 ? ["0", "1", "2", "3"] : open.map { "\($0)" }))
    #expect(integrator.phase.text == "idle")
    let count = deaf.loadCount
    let again = integrator.call(9).start()
    time.advance(by: .seconds(2))
    if index == 5 {
      again.cancel()
    } else {
      var number = count
      while await deaf.load(number).parameters != 9 { number += 1 }
      await deaf.load(number).succeed(1)
    }
    #expect(await again.outcome.text == (index == 5 ? "cancelled caller" : "success 1"))
  }

  @Test("Released elsewhere than on the main actor, all end on it", arguments: 0..<5)
  func releasedElsewhere(round: Int) async {
    defer { deaf.close() }
    var integrator: Integrator? = Integrator(provider: deaf)
    let call = integrator!.call(round).start()
    let box = Locked<Integrator<Int, Int>?>(integrator)
    integrator = nil
    await Task.detached {
      let last = box.withLock { $0.take() }
      _ = last
    }.value
    #expect(await call.outcome.text == "cancelled released")
  }
}
