#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  extension JournalStatements {
    /// Stores reports whose fences are current or whose runs were given back, and lines of the
    /// runner also later.
    ///
    /// The run is not locked. A report that a claim overtakes is written as if it preceded the
    /// claim; it never replaces one with a higher fence.
    func write(_ reports: [RunReportWrite], keeping kept: Int, at time: JournalTime) throws {
      // Sorted, so that two writes of the same runs can't deadlock.
      let reports = reports.sorted { ($0.run, $0.fence) < ($1.run, $1.fence) }
      var runs: [RunID] = []
      for report in try current(reports) {
        try writeProgress(report, at: time)
        if !report.lines.isEmpty {
          try insert(report.lines, of: report.run, at: time)
          runs.append(report.run)
        }
      }
      for run in runs { try trimLog(of: run, to: kept) }
    }

    /// What is stored of each report at the current fence of its run.
    private func current(_ reports: [RunReportWrite]) throws -> [RunReportWrite] {
      try rows(
        """
        SELECT c.place, r.fence FROM unnest($1::uuid[]) WITH ORDINALITY AS c(id, place) \
        JOIN run r ON r.id = c.id ORDER BY c.place
        """, [.identifiers(reports.map(\.run))]
      ).compactMap { try reports[$0.integer(0) - 1].kept(atFence: $0.integer(1)) }
    }

    /// Writes the row even without a progress, because the row says that there are lines.
    private func writeProgress(_ report: RunReportWrite, at time: JournalTime) throws {
      let progress = report.progress
      try execute(
        """
        \(ClockSQL.with(1)) \
        INSERT INTO report AS p (run, fence, sequence, billionths, text, reported_at) \
        VALUES ($2, $3, $4, $5, $6, \(ClockSQL.now) + \(ClockSQL.microseconds("$7"))) \
        ON CONFLICT (run) DO UPDATE SET fence = GREATEST(p.fence, EXCLUDED.fence), \
        xid = pg_current_xact_id(), \
        sequence = COALESCE(EXCLUDED.sequence, p.sequence), \
        text = CASE WHEN EXCLUDED.billionths IS NULL THEN p.text ELSE EXCLUDED.text END, \
        reported_at = COALESCE(EXCLUDED.reported_at, p.reported_at), \
        billionths = COALESCE(EXCLUDED.billionths, p.billionths) \
        WHERE p.fence <= EXCLUDED.fence OR EXCLUDED.billionths IS NULL
        """,
        [
          now, .identifier(report.run), .integer(report.fence),
          progress.map { .integer($0.sequence) } ?? .noInteger,
          progress.map { .integer($0.billionths) } ?? .noInteger, .text(progress?.text),
          progress.map { Self.distance(of: $0.reportedAt, from: time) } ?? .noInteger,
        ])
    }

    private func insert(_ lines: [RunLogLine], of run: RunID, at time: JournalTime) throws {
      try execute(
        """
        \(ClockSQL.with(1)) \
        INSERT INTO log (run, fence, number, sequence, logged_at, text, of_runner) \
        SELECT $2, fence, number, sequence, \(ClockSQL.now) + \(ClockSQL.microseconds("distance")), \
        text, of_runner \
        FROM unnest($3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::text[], $8::boolean[]) \
        AS c(fence, number, sequence, distance, text, of_runner) ON CONFLICT DO NOTHING
        """,
        [
          now, .identifier(run), .integers(lines.map(\.place.fence)),
          .integers(lines.map(\.place.number)), .integers(lines.map(\.sequence)),
          .integers(
            lines.map { Self.boundedMicroseconds($0.loggedAt.timeIntervalSince(time.date)) }),
          .texts(lines.map(\.text)),
          .array(of: .boolean(false), lines.map { .boolean($0.isOfRunner) }),
        ])
    }

    private func trimLog(of run: RunID, to kept: Int) throws {
      try execute(
        """
        DELETE FROM log WHERE run = $1 AND (fence, number) < (SELECT fence, number FROM log \
        WHERE run = $1 ORDER BY fence DESC, number DESC LIMIT 1 OFFSET $2)
        """, [.identifier(run), .integer(kept - 1)])
    }

    func report(of id: RunID, after place: RunLogLine.Place?) throws -> RunReport {
      var report = RunReport()
      report.progress = try row(
        """
        SELECT billionths, text, sequence, reported_at FROM report \
        WHERE run = $1 AND billionths IS NOT NULL
        """, [.identifier(id)]
      ).map { row in
        RunProgress(
          billionths: try row.integer(0), text: row.optionalText(1), sequence: try row.integer(2),
          reportedAt: try row.date(3))
      }
      report.lines = try rows(
        """
        SELECT fence, number, text, sequence, logged_at, of_runner FROM log \
        WHERE run = $1 AND (fence, number) > ($2, $3) ORDER BY fence, number LIMIT 1000
        """, [.identifier(id), .integer(place?.fence ?? -1), .integer(place?.number ?? -1)]
      ).map { row in
        RunLogLine(
          place: RunLogLine.Place(fence: try row.integer(0), number: try row.integer(1)),
          text: try row.text(2), sequence: try row.integer(3), loggedAt: try row.date(4),
          isOfRunner: try row.boolean(5))
      }
      return report
    }

    /// Stores or removes a worker's record.
    ///
    /// - Parameter last: the time of the worker's last announcement by this journal; nil for none.
    /// - Returns: the time of this one, by the server's clock.
    /// - Throws: `JournalError.duplicateWorker` if another worker of the name has announced itself
    ///   since.
    func setWorker(
      _ name: String, to record: WorkerRecord?, after last: Date?, at time: JournalTime
    ) throws -> Date? {
      let kept = try row(
        "SELECT seen_at, record FROM worker WHERE name = $1 FOR UPDATE", [.text(name)])
      var isOvertaken = false
      if let kept, let last { isOvertaken = try kept.date(0) > last }
      guard let record else {
        // The record of another worker of the name stays.
        if !isOvertaken { try execute("DELETE FROM worker WHERE name = $1", [.text(name)]) }
        try removeOldWorkers()
        return nil
      }
      if isOvertaken, let kept, let other = try WorkerIdentity(stored: kept.bytes(1)),
        other != WorkerIdentity(record)
      {
        throw JournalError.duplicateWorker(name)
      }
      let seen =
        try row(
          """
          \(ClockSQL.with(1)) INSERT INTO worker (name, started_at, seen_at, record) \
          VALUES ($2, \(ClockSQL.now) + \(ClockSQL.microseconds("$3")), \(ClockSQL.now), $4) \
          ON CONFLICT (name) DO UPDATE SET started_at = EXCLUDED.started_at, \
          seen_at = EXCLUDED.seen_at, record = EXCLUDED.record RETURNING seen_at
          """,
          [
            now, .text(name), Self.distance(of: record.startedAt, from: time),
            .bytes(try record.stored),
          ])?.date(0)
      try removeOldWorkers()
      return seen
    }

    /// Skips rows that another transaction is deleting.
    func removeOldWorkers() throws {
      try execute(
        """
        \(ClockSQL.with(1)) DELETE FROM worker WHERE name IN (SELECT name FROM worker \
        WHERE seen_at < \(ClockSQL.now) - \(ClockSQL.microseconds("$2")) FOR UPDATE SKIP LOCKED)
        """, [now, Self.lease(WorkerRecord.retention)])
    }

    func workers() throws -> [WorkerRecord] {
      try rows("SELECT record, started_at, seen_at FROM worker ORDER BY name", []).compactMap {
        row in
        WorkerRecord(
          stored: try row.bytes(0), startedAt: try row.date(1), lastSeenAt: try row.date(2))
      }
    }
  }

  /// Which of the workers of a name a record is of.
  private struct WorkerIdentity: Equatable {
    let machine: String
    let process: Int
    /// By the worker's clock, which is the same in all its records.
    let startedAt: Date

    init(_ record: WorkerRecord) {
      (machine, process, startedAt) = (record.machine, record.process, record.startedAt)
    }

    /// - Returns: nil if newer code wrote the record in an unreadable form.
    init?(stored: Data) {
      guard let record = try? JSONDecoder().decode(WorkerRecord.self, from: stored) else {
        return nil
      }
      self.init(record)
    }
  }
#endif
