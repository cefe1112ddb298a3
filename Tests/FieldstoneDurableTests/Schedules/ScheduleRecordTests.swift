import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The records of schedules", .timeLimit(.minutes(20)))
struct ScheduleRecordTests {
  private let shop = Workshop()

  private func runner() throws -> DurableRunner {
    try shop.runner { _, _ in .complete("done") }
  }

  @Test("What changes the progress only leaves each byte of the definition as it was")
  func definition() async throws {
    let runner = try runner()
    let begin = shop.time.now
    let timing = ScheduleTiming.every(.seconds(600), from: begin)
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    let written = try #require(try await shop.memory.schedules().first)
    // Newer code has put more into it than this code reads.
    var newer = written
    newer.definition = Data(#"{"newer":1,"#.utf8) + written.definition.dropFirst()
    let time = JournalTime(shop.source, boot: "boot")
    #expect(
      try await shop.memory.setSchedule("ten", from: written, to: newer, starting: [], at: time))
    try await working(runner) {
      shop.time.advance(by: .seconds(601))
      await shop.news(of: 1) { kind in
        if case .scheduled = kind { true } else { false }
      }
    }
    try await runner.pauseSchedule("ten")
    #expect(try await runner.resumeSchedule("ten"))
    _ = try await runner.runNow(schedule: "ten")
    try await runner.setSchedule("ten", of: Scripted("a"), timing)
    let record = try #require(try await shop.memory.schedules().first)
    #expect(record.definition == newer.definition)
    #expect(try ScheduleStatus(record).progress.lastTick == begin + 600)
  }

  @Test("A current time zone is fixed when a schedule is set, and setting it again changes nothing")
  func currentZone() async throws {
    let runner = try runner()
    let timing = try ScheduleTiming.cron("0 2 * * *", in: .autoupdatingCurrent)
    let status = try await runner.setSchedule("nightly", of: Scripted("a"), timing)
    #expect(status.schedule.timing != timing)
    let record = try #require(try await shop.memory.schedules().first)
    #expect(!String(decoding: record.definition, as: UTF8.self).contains("autoupdating"))
    #expect(try await runner.setSchedule("nightly", of: Scripted("a"), timing) == status)
    #expect(try await shop.memory.schedules() == [record])
    #expect(try await shop.memory.audit(AuditQuery()).records.count == 1)
  }
}
