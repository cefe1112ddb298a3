import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Providers made from one provider")
struct CombinatorTests {
  private let source = ManualProvider<Int, String>()
  private let heard = Recorder<String>()

  @Test("Map makes another output, of early values too, and leaves progress")
  func map() async throws {
    let provider = source.map { text in
      guard let number = Int(text) else { throw Failure.broken }
      return number
    }
    let events = LoadEvents<Int>(
      onProgress: { [heard] in heard.record("\($0)") },
      onEarlyValue: { [heard] in heard.record("early \($0)") })
    let task = Task { try await provider.load(1, reporting: events) }
    let load = await source.load(at: 0)
    load.events.progress(.fraction(0.5))
    load.events.early("12")
    load.events.early("no number")
    load.succeed("13")
    #expect(try await task.value == 13)
    #expect(heard.elements == ["fraction(0.5)", "early 12"])

    let failing = Task { try await provider.load(1, reporting: LoadEvents()) }
    await source.load(at: 1).succeed("no number")
    await #expect(throws: Failure.broken) { try await failing.value }
  }

  @Test("Converted parameters reach the provider, and a failed conversion is the load's error")
  func convert() async throws {
    let provider = source.convertingParameters { (text: String) in
      guard let number = Int(text) else { throw Failure.other(1) }
      return number
    }
    let task = Task { try await provider.load("4", reporting: .recording(heard)) }
    let load = await source.load(at: 0)
    #expect(load.parameters == 4)
    load.events.early("early")
    load.succeed("value")
    #expect(try await task.value == "value")
    #expect(heard.elements == ["early"])
    await #expect(throws: Failure.other(1)) {
      try await provider.load("four", reporting: LoadEvents())
    }
    #expect(source.loadCount == 1)
  }

  @Test("Cancelled during the conversion, nothing is loaded")
  func cancelledConversion() async {
    let gate = Gate()
    let provider = source.convertingParameters { (number: Int) in
      await gate.wait()
      return number
    }
    let task = Task { try await provider.load(1, reporting: LoadEvents()) }
    await gate.arrivals(atLeast: 1)
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(source.loadCount == 0)
  }

  @Test("In a sequence the output of one is the parameter of the next")
  func sequence() async throws {
    let second = ManualProvider<String, String>()
    let provider = source.then(second)
    let task = Task { try await provider.load(1, reporting: .recording(heard)) }
    let first = await source.load(at: 0)
    first.events.progress(.fraction(0.5))
    first.events.early("of the first")
    first.succeed("link")
    let next = await second.load(at: 0)
    #expect(next.parameters == "link")
    first.events.progress(.fraction(0.1))
    next.events.progress(.indeterminate)
    next.events.progress(.fraction(0.5))
    next.events.early("of the second")
    next.succeed("value")
    #expect(try await task.value == "value")
    #expect(heard.elements == ["0.25", "0.5", "indeterminate", "0.75", "of the second"])
  }

  @Test("A sequence ends with the first failure, whichever it is of")
  func sequenceFails() async {
    let second = ManualProvider<String, Int>()
    let provider = source.then(second)
    let task = Task { try await provider.load(1, reporting: LoadEvents()) }
    await source.load(at: 0).fail(Failure.broken)
    await #expect(throws: Failure.broken) { try await task.value }
    #expect(second.loadCount == 0)
    let other = Task { try await provider.load(1, reporting: LoadEvents()) }
    await source.load(at: 1).succeed("link")
    await second.load(at: 0).fail(Failure.other(2))
    await #expect(throws: Failure.other(2)) { try await other.value }
  }

  @Test(
    "Cancelled in its first half, a sequence does not begin the second", arguments: [true, false])
  func sequenceCancelled(heedsCancellation: Bool) async {
    let first = ManualProvider<Int, String>(heedsCancellation: heedsCancellation)
    let second = ManualProvider<String, Int>()
    let task = Task { try await first.then(second).load(1, reporting: LoadEvents()) }
    let load = await first.load(at: 0)
    task.cancel()
    await load.cancelled()
    load.succeed("link")
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(second.loadCount == 0)
  }

  @Test("Cancelled in its second half, a sequence cancels that")
  func sequenceCancelledLater() async {
    let second = ManualProvider<String, Int>()
    let task = Task { try await source.then(second).load(1, reporting: LoadEvents()) }
    await source.load(at: 0).succeed("link")
    let load = await second.load(at: 0)
    task.cancel()
    await load.cancelled()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Retrying loads again, and hands on what every attempt reports")
  func retrying() async throws {
    let time = ManualTime()
    let provider = source.retrying(
      RetryPolicy(maximumAttempts: 2, shouldRetry: { _ in true }), time: time.source,
      onRetry: { [heard] in heard.record("attempt \($0.attempt) in \($0.delay)") })
    let task = Task { try await provider.load(1, reporting: .recording(heard)) }
    let first = await source.load(at: 0)
    first.events.early("one")
    first.fail(Advised(retryAfter: .seconds(10)))
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(10))
    let second = await source.load(at: 1)
    first.events.early("late")
    second.events.progress(.fraction(0.1))
    second.succeed("value")
    #expect(try await task.value == "value")
    #expect(heard.elements == ["one", "attempt 2 in 10.0 seconds", "0.1"])
  }

  @Test("Cancelling what retries cancels the attempt, or the wait")
  func retryingCancelled() async {
    let time = ManualTime()
    let provider = source.retrying(RetryPolicy(maximumAttempts: 5), time: time.source)
    let task = Task { try await provider.load(1, reporting: LoadEvents()) }
    let load = await source.load(at: 0)
    task.cancel()
    await load.cancelled()
    await #expect(throws: CancellationError.self) { try await task.value }
    let waiting = Task { try await provider.load(1, reporting: LoadEvents()) }
    await source.load(at: 1).fail(Advised(retryAfter: .seconds(10)))
    await time.sleepers(atLeast: 1)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(source.loadCount == 2)
  }
}
