import FieldstoneDurable
import Foundation

/// A journal with a server's clock, called with wrong clocks of the caller.
///
/// The trials use the server's time. Times relative to the caller's clock are wrong by the skew.
struct SkewedJournal: JournalDecorator {
  let decorated: any Journal
  /// The number of seconds that the caller's clock is ahead.
  let skew: TimeInterval
  let setClock: @Sendable (Date) async throws -> Void

  /// Sets the server's clock.
  ///
  /// - Returns: the caller's time.
  func decoratedTime(_ time: JournalTime) async throws -> JournalTime {
    try await setClock(time.date)
    return JournalTime(date: time.date + skew, uptime: time.uptime * 3, boot: time.boot)
  }

  /// The trial's date, where the journal can't ask its server: others than this package's can't.
  func date(byCaller date: Date) async throws -> Date {
    try await setClock(date)
    guard decorated is any ClockReader else { return date }
    return try await decorated.currentDate(byCaller: date + skew)
  }

  func claim(_ request: ClaimRequest, at time: JournalTime) async throws -> Claim {
    var claim = try await decorated.claim(request, at: decoratedTime(time))
    claim.nextDueAt = claim.nextDueAt.map { $0 - skew }
    return claim
  }

  func checkpoint(
    _ checkpoint: Checkpoint, at time: JournalTime
  ) async throws -> CheckpointReceipt {
    var checkpoint = checkpoint
    checkpoint.beganAt += skew
    return try await decorated.checkpoint(checkpoint, at: decoratedTime(time))
  }

  func park(_ parking: Parking, at time: JournalTime) async throws {
    var parking = parking
    if case .retry(let date, let error) = parking.reason {
      parking.reason = .retry(at: date + skew, error: error)
    }
    parking.line?.loggedAt += skew
    try await decorated.park(parking, at: decoratedTime(time))
  }

  func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {
    var reports = reports
    for index in reports.indices {
      reports[index].progress?.reportedAt += skew
      for line in reports[index].lines.indices { reports[index].lines[line].loggedAt += skew }
    }
    try await decorated.write(reports, at: decoratedTime(time))
  }

  func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {
    var record = record
    record?.startedAt += skew
    try await decorated.setWorker(name, to: record, at: decoratedTime(time))
  }
}
