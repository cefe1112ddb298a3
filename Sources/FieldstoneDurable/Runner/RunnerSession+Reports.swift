import FieldstoneCore
import Foundation

extension RunnerSession {
  /// Writes the stages' reports and announces the worker, until all work has ended for good.
  ///
  /// It runs beside everything else and waits only for the journal. No checkpoint, claim or renewal
  /// waits for it.
  func keepReports() async {
    var next = time.uptime
    var failures = 0
    var isFirst = true
    while true {
      let isLast = hasNoMoreLeases
      // Otherwise each call would hold the shutdown up for a second more.
      if isLast, isJournalSilent { break }
      if !isLast, reports.beginAnnouncement(isFirst: isFirst) { await announce() }
      if !isLast { isFirst = false }
      if !reports.isEmpty, isLast || time.uptime >= next {
        failures = await writeReports() ? 0 : failures + 1
        // An unavailable journal is tried less and less often, but at least every five seconds.
        let pause = min(ReportQueue.interval * (1 << min(failures, 5)), .seconds(5))
        next = time.uptime + pause
        // Reports that remain when the journal fails at the end are lost.
        if !isLast || failures == 0 { continue }
      }
      if isLast { break }
      await reports.wakeEvent.wait(
        until: reports.isEmpty ? nil : next, by: time, on: options.executor)
    }
    guard !isFirst, !isJournalSilent else { return }
    let (name, now) = (options.worker, journalTime)
    try? await answer { [journal] in try await journal.setWorker(name, to: nil, at: now) }
  }

  /// Writes what waits now, and leaves for later what comes meanwhile.
  ///
  /// - Returns: false if the journal was unavailable.
  private func writeReports() async -> Bool {
    let end = reports.end
    repeat {
      guard await writeSomeReports() else { return false }
    } while !reports.isTaken(upTo: end)
    return true
  }

  private func writeSomeReports() async -> Bool {
    let writes = reports.take()
    // All that waited may be of runs that are being given back.
    if writes.isEmpty { return true }
    do {
      let now = journalTime
      try await answer { [journal] in try await journal.write(writes, at: now) }
      reports.confirm(writes)
      news.notifyReports(of: writes.map(\.run))
      return true
    } catch let error where error is FarewellEnded || (error as? JournalError)?.isTransient == true
    {
      reports.putBack(writes)
      return false
    } catch {
      // Another try would fail too: the lines are dropped, and their numbers show the gap.
      return true
    }
  }

  /// Announces the worker; a failed announcement is repeated at the next one.
  ///
  /// Claims report the journal's failure.
  private func announce() async {
    // From its beginning: readers compare the interval with the time that it says.
    let next = time.uptime + announcementInterval
    let (record, now) = (workerRecord, journalTime)
    try? await answer { [journal] in try await journal.setWorker(record.name, to: record, at: now) }
    reports.endAnnouncement(nextAt: next)
  }

  /// Claims trigger it, and they come once a poll or, while there is no room, with the renewals.
  private var announcementInterval: Duration {
    min(max(lease, options.pollInterval, .seconds(1)), .seconds(10_000_000_000))
  }

  private var workerRecord: WorkerRecord {
    let claims = activeLeases.map(\.claim)
    return WorkerRecord(
      name: options.worker, machine: MachineName.current,
      process: Int(ProcessInfo.processInfo.processIdentifier),
      protocolVersion: ClaimRequest.newestProtocolVersion,
      flows: flows.values.map { .init(name: $0.name, version: $0.version) }
        .sorted { $0.name < $1.name }.prefix(1_000).map(\.self),
      startedAt: startedAt, lastSeenAt: time.now, interval: announcementInterval,
      runCount: claims.count, runs: claims.prefix(20).map(\.id))
  }
}

// MARK: Attempts

extension RunnerSession {
  /// A line about an attempt that has failed, for the run's log; nil if it gives the run back.
  func line(
    about reason: Parking.Reason, as kind: RunnerEvent.Kind, of claim: RunClaim
  ) -> RunLogLine? {
    let worker = options.worker
    let text: String? =
      switch (reason, kind) {
      case (.retry(let date, let error), .retry(let attempt, _, _)):
        "Attempt \(attempt), by \(worker), failed; the next is at \(date.ISO8601Format()): \(error)"
      case (.dead(let error), .dead(let attempts, _)):
        "Attempt \(attempts), the last, by \(worker), failed: \(error)"
      case (.exhausted(let error), _), (.dead(let error), _):
        "\(worker) does not try it again: \(error)"
      case (.blocked(let error), _): "\(worker) can't read it: \(error)"
      case (.shutdown, _), (.retry, _): nil
      }
    return text.flatMap { reports.line($0, on: claim) }
  }

  /// Logs that a run was taken over from a worker that died, or lost its lease: what that one still
  /// writes of it is refused.
  ///
  /// Later claims at the stage say that there were crashes.
  func noteCrash(of claimed: ClaimedRun) {
    let record = claimed.record
    guard record.crashes > 0 else { return }
    let times = record.crashes == 1 ? "once" : "\(record.crashes) times"
    let claim =
      claimed.takenFrom.map {
        "Taken over by \(options.worker) from \($0), whose writes are refused from now on"
      } ?? "Claimed by \(options.worker)"
    let text = "\(claim): workers have died or lost their lease \(times) at this stage"
    reports.note(
      text, on: RunClaim(id: record.id, sequence: record.sequence, fence: record.fence))
  }

  /// Logs that the journal refused what this worker wrote of a run, because it no longer had it.
  ///
  /// - Parameter write: what was refused.
  func noteRefusal(of write: String, on claim: RunClaim) {
    reports.note(
      "\(options.worker) no longer had the run: \(write) was refused, and its work on this stage is void",
      on: claim)
  }
}

/// The machine's host name.
enum MachineName {
  /// Read once, and not by `ProcessInfo`, which may query the network.
  static let current: String = {
    var bytes = [CChar](repeating: 0, count: 257)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return name.isEmpty ? "unknown" : name
  }()
}
