import FieldstoneCore
import FieldstoneTesting
import Foundation
import Testing

@Suite("The system's time")
struct TimeSourceTests {
  @Test("Uptime never goes back and is not the time of day")
  func uptimeGrows() {
    let time = TimeSource.system
    var last = time.uptime
    for _ in 0..<1_000 {
      let now = time.uptime
      #expect(now >= last)
      last = now
    }
    #expect(last > .zero)
    #expect(last < .seconds(time.now.timeIntervalSince1970))
  }

  @Test("A sleep that is over before it starts returns at once")
  func pastDeadlines() async throws {
    let time = TimeSource.system
    try await time.sleep(until: .distantPast)
    try await time.sleep(untilUptime: .zero)
    try await time.sleep(for: .seconds(-5))
    try await time.sleep(for: .zero)
  }

  @Test("In a cancelled task no sleep returns, not even one that is over")
  func pastDeadlinesWhenCancelled() async {
    for source in [TimeSource.system, ManualTime().source] {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        var endings: [Bool] = []
        for nap in [
          { try await source.sleep(until: .distantPast) }, { try await source.sleep(for: .zero) },
        ] {
          do { try await nap() } catch { endings.append(error is CancellationError) }
        }
        return endings
      }
      #expect(await task.value == [true, true])
    }
  }

  @Test("A short sleep is not over before its time")
  func shortSleeps() async throws {
    let time = TimeSource.system
    let (deadline, date) = (time.uptime + .milliseconds(2), time.now + 0.002)
    try await time.sleep(untilUptime: deadline)
    #expect(time.uptime >= deadline)
    try await time.sleep(until: date)
    #expect(time.now >= date)
  }

  enum Sleep: CaseIterable, Sendable {
    case untilADate, forAWhile, forEver, untilNoDate

    func callAsFunction() async throws {
      let time = TimeSource.system
      switch self {
      case .untilADate: try await time.sleep(until: .distantFuture)
      case .forAWhile: try await time.sleep(for: .seconds(100_000))
      case .forEver: try await time.sleep(for: .seconds(Int64.max))
      case .untilNoDate: try await time.sleep(until: Date(timeIntervalSince1970: .infinity))
      }
    }
  }

  @Test("A cancelled sleep ends, however long it is", arguments: Sleep.allCases)
  func cancelled(nap: Sleep) async {
    let asleep = Gate()
    let task = Task {
      asleep.open()
      try await nap()
    }
    await asleep.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
