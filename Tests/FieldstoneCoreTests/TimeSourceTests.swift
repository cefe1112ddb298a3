import FieldstoneCore
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

  @Test("A short sleep is not over before its time")
  func shortSleeps() async throws {
    let time = TimeSource.system
    let (deadline, date) = (time.uptime + .milliseconds(2), time.now + 0.002)
    try await time.sleep(untilUptime: deadline)
    #expect(time.uptime >= deadline)
    try await time.sleep(until: date)
    #expect(time.now >= date)
  }

  @Test("A cancelled sleep ends", arguments: [true, false])
  func cancelled(byDate: Bool) async {
    let time = TimeSource.system
    let task = Task {
      if byDate {
        try await time.sleep(until: .distantFuture)
      } else {
        try await time.sleep(for: .seconds(100_000))
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
