import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("Manual time")
struct ManualTimeTests {
  @Test("It stands still until it is moved")
  func standsStill() {
    let time = ManualTime()
    let source = time.source
    let start = source.now
    #expect(source.now == start && source.uptime == .zero)
    time.advance(by: .seconds(90))
    #expect(source.now == start + 90)
    #expect(source.uptime == .seconds(90))
    time.advance(by: .seconds(-5))
    #expect(source.uptime == .seconds(90))
  }

  @Test("It wakes those whose time has come, and no others")
  func wakes() async throws {
    let time = ManualTime()
    let source = time.source
    let early = Task { try await source.sleep(for: .seconds(1)) }
    let late = Task { try await source.sleep(for: .seconds(2)) }
    await time.sleepers(atLeast: 2)
    time.advance(by: .milliseconds(1_500))
    try await early.value
    #expect(time.sleeperCount == 1)
    time.advance(by: .milliseconds(500))
    try await late.value
    #expect(time.sleeperCount == 0)
  }

  @Test("The wall clock can be set alone: it wakes those who wait for a date")
  func wallClock() async throws {
    let time = ManualTime()
    let source = time.source
    let date = time.now + 3_600
    let byDate = Task { try await source.sleep(until: date) }
    let byUptime = Task { try await source.sleep(for: .seconds(3_600)) }
    await time.sleepers(atLeast: 2)
    time.setWallClock(to: date)
    try await byDate.value
    #expect(source.uptime == .zero && time.sleeperCount == 1)
    byUptime.cancel()
    await #expect(throws: CancellationError.self) { try await byUptime.value }
  }

  @Test("One that was woken sleeps no more, even before it runs: the next sleep can be awaited")
  func sleepsAgain() async throws {
    for _ in 0..<200 {
      let time = ManualTime()
      let source = time.source
      let task = Task {
        try await source.sleep(for: .seconds(1))
        try await source.sleep(for: .seconds(1))
      }
      for _ in 0..<2 {
        await time.sleepers(atLeast: 1)
        time.advance(by: .seconds(1))
      }
      try await task.value
      #expect(time.uptime == .seconds(2))
    }
  }

  @Test("One that is cancelled sleeps no more, and is not awaited")
  func cancelledSleepsNoMore() async throws {
    for _ in 0..<200 {
      let time = ManualTime()
      let source = time.source
      let task = Task { try await source.sleep(for: .seconds(1)) }
      await time.sleepers(atLeast: 1)
      task.cancel()
      #expect(time.sleeperCount == 0)
      await #expect(throws: CancellationError.self) { try await task.value }
      time.advance(by: .seconds(1))
    }
  }

  @Test("One that waits for sleepers is woken by the last of them, or by its cancellation")
  func watchers() async throws {
    let time = ManualTime()
    let source = time.source
    let (two, three) = (
      Task { await time.sleepers(atLeast: 2) }, Task { await time.sleepers(atLeast: 3) }
    )
    let sleepers = (0..<2).map { _ in Task { try await source.sleep(for: .seconds(1)) } }
    await two.value
    #expect(time.sleeperCount == 2)
    three.cancel()
    await three.value
    time.advance(by: .seconds(1))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test("A sleep for a while is over when so much time has passed since it began")
  func sleepsForAWhile() async throws {
    let time = ManualTime(uptime: .seconds(10))
    let task = Task { try await time.source.sleep(for: .seconds(2)) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .seconds(1))
    #expect(time.sleeperCount == 1)
    time.advance(by: .seconds(1))
    try await task.value
  }

  // In tens of seconds if each new sleeper were to look at all others.
  @Test("Tens of thousands sleep, and are woken")
  func crowd() async throws {
    let (time, count) = (ManualTime(), 20_000)
    let source = time.source
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<count {
        group.addTask { try await source.sleep(for: .seconds(1 + index % 2)) }
      }
      await time.sleepers(atLeast: count)
      time.advance(by: .seconds(1))
      for _ in 0..<count / 2 { try await group.next() }
      #expect(time.sleeperCount == count / 2)
      time.advance(by: .seconds(1))
      try await group.waitForAll()
    }
    #expect(time.sleeperCount == 0)
  }

  @Test("A time that has passed does not sleep")
  func passed() async throws {
    let time = ManualTime(uptime: .seconds(10))
    try await time.source.sleep(untilUptime: .seconds(10))
    try await time.source.sleep(until: time.now)
  }
}

@Suite("Gates and recorders")
struct GateTests {
  @Test("A gate holds until it is opened, and stays open")
  func gate() async {
    let gate = Gate()
    let passed = Recorder<Int>()
    let task = Task {
      await gate.wait()
      passed.record(1)
    }
    await gate.arrivals(atLeast: 1)
    #expect(passed.count == 0 && !gate.isOpen)
    gate.open()
    gate.open()
    await task.value
    await gate.wait()
    #expect(passed.elements == [1])
    #expect(gate.arrivalCount == 2 && gate.isOpen)
  }

  @Test("A cancelled task leaves a gate only if it asked for that")
  func cancelled() async {
    let gate = Gate()
    let stubborn = Task {
      await gate.wait()
      return gate.isOpen
    }
    let polite = Task { try await gate.waitUnlessCancelled() }
    await gate.arrivals(atLeast: 2)
    stubborn.cancel()
    polite.cancel()
    await #expect(throws: CancellationError.self) { try await polite.value }
    gate.open()
    #expect(await stubborn.value)
  }

  @Test("A task that is cancelled before it comes to a gate does not wait")
  func cancelledBefore() async {
    let gate = Gate()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await gate.waitUnlessCancelled()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(gate.arrivalCount == 1 && !gate.isOpen)
  }

  @Test("A recorder keeps the order and wakes who waits for a number of elements")
  func recorder() async {
    let recorder = Recorder<Int>()
    let waiter = Task { await recorder.elements(atLeast: 2) }
    recorder.record(1)
    recorder.record(2)
    #expect(await waiter.value == [1, 2])
    #expect(recorder.removeAll() == [1, 2])
    #expect(recorder.elements == [] && recorder.count == 0)
  }

  @Test("A seed repeats its numbers")
  func seed() {
    var (first, second, other) = (
      SeededGenerator(seed: 1), SeededGenerator(seed: 1), SeededGenerator(seed: 2)
    )
    let numbers = (0..<10).map { _ in first.next() }
    #expect(numbers == (0..<10).map { _ in second.next() })
    #expect(numbers != (0..<10).map { _ in other.next() })
  }
}
