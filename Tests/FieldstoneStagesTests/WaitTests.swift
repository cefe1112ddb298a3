import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Waiting steps")
struct WaitTests {
  enum Alarm: Stage, Equatable {
    case set(Date)
    case rings
    func next() async throws -> Step<Self, String> {
      switch self {
      case .set(let date): .wait(until: date, then: .rings)
      case .rings: .complete("rings")
      }
    }
  }

  enum PlainAlarm: SynchronousStage {
    case set(Date)
    case rings
    func next() throws -> Step<Self, String> {
      switch self {
      case .set(let date): .wait(until: date, then: .rings)
      case .rings: .complete("rings")
      }
    }
  }

  @Test("A wait goes on at its time and not before, for both kinds of stage")
  func waitsUntilItsTime() async throws {
    let time = ManualTime()
    let date = time.now + 60
    let asynchronous = Alarm.set(date).execute(options: ExecutionOptions(time: time.source)) { _ in
    }
    let plain = PlainAlarm.set(date).execute(options: ExecutionOptions(time: time.source)) { _ in }
    await time.sleepers(atLeast: 2)
    time.advance(by: .seconds(59))
    #expect(asynchronous.currentOutcome == nil && plain.currentOutcome == nil)
    time.advance(by: .seconds(1))
    #expect(try await asynchronous.value == "rings")
    #expect(try await plain.value == "rings")
  }

  @Test("A time that has passed does not wait")
  func passedTime() async throws {
    let time = ManualTime()
    let options = ExecutionOptions<Alarm>(time: time.source)
    #expect(try await Alarm.set(time.now - 1).execute(options: options) == "rings")
  }

  @Test("The sequence waits before it gives the stage that follows")
  func sequenceWaits() async throws {
    let time = ManualTime()
    let seen = Recorder<Alarm>()
    let date = time.now + 5
    let task = Task {
      for try await stage in Alarm.set(date).stages(in: (), options: .init(time: time.source)) {
        seen.record(stage)
      }
    }
    await time.sleepers(atLeast: 1)
    #expect(seen.elements == [.set(date)])
    time.advance(by: .seconds(5))
    try await task.value
    #expect(seen.elements == [.set(date), .rings])
  }

  /// The ways to execute stages that can wait.
  enum Way: CaseIterable, Sendable {
    case asynchronous, synchronous, sequence

    func run(until date: Date, by time: TimeSource) async throws {
      switch self {
      case .asynchronous:
        _ = try await Alarm.set(date).execute(options: ExecutionOptions(time: time))
      case .synchronous:
        _ = try await PlainAlarm.set(date).execute(options: ExecutionOptions(time: time))
      case .sequence:
        for try await _ in Alarm.set(date).stages(in: (), options: .init(time: time)) {}
      }
    }
  }

  struct Trouble: Error {}

  @Test(
    "Cancelled while it waits it throws CancellationError, whatever the time source throws",
    arguments: Way.allCases)
  func cancelledWait(way: Way) async {
    let gate = Gate()
    let time = TimeSource(
      now: { Date(timeIntervalSinceReferenceDate: 0) }, uptime: { .zero },
      sleepUntilUptime: { _ in },
      sleepUntilDate: { _ in
        do { try await gate.waitUnlessCancelled() } catch { throw Trouble() }
      })
    let task = Task { try await way.run(until: .distantFuture, by: time) }
    await gate.arrivals(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A time source that fails is a failure", arguments: Way.allCases)
  func failedWait(way: Way) async {
    let time = TimeSource(
      now: { Date(timeIntervalSinceReferenceDate: 0) }, uptime: { .zero },
      sleepUntilUptime: { _ in }, sleepUntilDate: { _ in throw Trouble() })
    await #expect(throws: Trouble.self) { try await way.run(until: .distantFuture, by: time) }
  }

  @Test("Code that can't suspend gets a typed error with the remedy")
  func synchronousCaller() throws {
    #expect(throws: StageError.waitsInSynchronousExecution) {
      try PlainAlarm.set(.distantFuture).execute()
    }
    #expect(StageError.waitsInSynchronousExecution.message.contains("try await stage.execute()"))
  }
}
