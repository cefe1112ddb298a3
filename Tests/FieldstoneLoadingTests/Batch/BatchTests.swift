import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("A batch of loads")
struct BatchTests {
  let provider = HandProvider<Int, Int>()
  let deaf = HandProvider<Int, Int>(heedsCancellation: false)

  @Test("Outputs are in the order of the parameters, in whatever order they come")
  func order() async throws {
    let task = Task {
      try await provider.batched(maxConcurrent: 3).load([10, 20, 30], reporting: LoadEvents())
    }
    var loads: [HandProvider<Int, Int>.Load] = []
    for number in 0..<3 { loads.append(await provider.load(number)) }
    for load in loads.sorted(by: { $0.parameters > $1.parameters }) {
      load.succeed(load.parameters + 1)
    }
    #expect(try await task.value == [11, 21, 31])
  }

  /// Counts how many run at once.
  struct Metered: DataProvider {
    let meter = Locked((running: 0, most: 0))

    @concurrent
    func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
      meter.withLock {
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      await Task.yield()
      await Task.yield()
      meter.withLock { $0.running -= 1 }
      return number
    }
  }

  @Test("2,000 loads never run more than the bound at once", arguments: [1, 3, 0, -2])
  func bound(bound: Int) async throws {
    let metered = Metered()
    let numbers = Array(0..<2_000)
    let output = try await metered.batched(maxConcurrent: bound)
      .load(numbers, reporting: LoadEvents())
    #expect(output == numbers)
    #expect(metered.meter.withLock { $0.most } <= max(1, bound))
  }

  @Test("So many as the bound says run at once")
  func boundIsUsed() async {
    let task = Task {
      try await provider.batched(maxConcurrent: 3).load([1, 2, 3, 4], reporting: LoadEvents())
    }
    _ = await provider.load(2)
    #expect(provider.loadCount == 3)
    await provider.load(0).succeed(1)
    _ = await provider.load(3)
    task.cancel()
  }

  @Test("Failing fast, the first failure cancels the others, starts none and waits for none")
  func failFast() async {
    let task = Task {
      try await deaf.batched(maxConcurrent: 2).load([1, 2, 3], reporting: LoadEvents())
    }
    let loads = [await deaf.load(0), await deaf.load(1)]
    loads[1].fail(Trouble(number: 4))
    await #expect(throws: Trouble(number: 4)) { try await task.value }
    await loads[0].cancellation()
    #expect(deaf.loadCount == 2)
    loads[0].succeed(1)
  }

  @Test("Collecting, every one has its outcome, and a failure disturbs none")
  func collect() async throws {
    let task = Task {
      try await provider.batchedCollecting(maxConcurrent: 2)
        .load([1, 2, 3, 4], reporting: LoadEvents())
    }
    for number in 0..<4 {
      let load = await provider.load(number)
      switch load.parameters {
      case 1: load.fail(Trouble(number: 1))
      case 3: load.fail(CancellationError())
      default: load.succeed(load.parameters)
      }
    }
    #expect(
      try await task.value.map(\.text)
        == ["failure 1", "success 2", "cancelled caller", "success 4"])
  }

  @Test("Cancelling reaches every load and waits for none", arguments: [true, false])
  func cancel(failsFast: Bool) async {
    let task = Task {
      if failsFast {
        _ = try await deaf.batched(maxConcurrent: 3).load(Array(0..<9), reporting: LoadEvents())
      } else {
        _ = try await deaf.batchedCollecting(maxConcurrent: 3)
          .load(Array(0..<9), reporting: LoadEvents())
      }
    }
    let loads = [await deaf.load(0), await deaf.load(1), await deaf.load(2)]
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for load in loads { await load.cancellation() }
    for load in loads { load.succeed(1) }
    await turnOfTheMainActor()
    #expect(deaf.loadCount == 3)
  }

  @Test("Cancelled before, it starts nothing")
  func cancelledBefore() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await provider.batched().load([1, 2], reporting: LoadEvents())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(provider.loadCount == 0)
  }

  @Test("Nothing to load gives nothing")
  func empty() async throws {
    #expect(try await provider.batched().load([], reporting: LoadEvents()) == [])
    #expect(try await provider.batchedCollecting().load([], reporting: LoadEvents()).isEmpty)
  }

  @Test("Its progress is the part that has ended, never goes back, and is whole at the end")
  func progress() async throws {
    for count in [500] + Array(repeating: 4, count: Rounds.of(1_000)) {
      let heard = Recorder<LoadProgress>()
      let output = try await Doubling().batched(maxConcurrent: 2)
        .load(Array(0..<count), reporting: LoadEvents(onProgress: { heard.record($0) }))
      let fractions = heard.elements.map { progress in
        if case .fraction(let part) = progress { part } else { -1.0 }
      }
      #expect(output == (0..<count).map { $0 * 2 })
      #expect(fractions == fractions.sorted() && fractions.last == 1)
    }
  }

  @Test("Through an integrator, a batch makes calls with its handlers and its phase")
  @MainActor
  func integrator() async throws {
    let log = Recorder<String>()
    let integrator = Integrator(provider: Doubling())
    integrator.defaultHandlers = CallHandlers().onSuccess { log.record("\($0)") }
    #expect(try await integrator.batch([1, 2, 3], maxConcurrent: 1) == [2, 4, 6])
    #expect(await log.elements(atLeast: 3) == ["2", "4", "6"])
    let failing = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    await #expect(throws: Trouble(number: 5)) { try await failing.batch([5, 5]) }
    let outcomes = try await failing.batchCollecting([1, 2])
    #expect(outcomes.map(\.text) == ["failure 1", "failure 2"])
  }

  @Test("Cancelling the task cancels every call of its batch")
  @MainActor
  func integratorCancel() async {
    defer { deaf.close() }
    let integrator = Integrator(provider: deaf)
    let task = Task { try await integrator.batch([1, 2], maxConcurrent: 2) }
    let loads = [await deaf.load(0), await deaf.load(1)]
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for load in loads { await load.cancellation() }
  }
}
