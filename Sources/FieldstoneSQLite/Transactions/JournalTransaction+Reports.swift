#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  extension JournalTransaction {
    /// Stores reports whose fences are current or whose runs were given back, and lines of the runner
    /// also later.
    func write(_ reports: [RunReportWrite], keeping kept: Int) throws {
      for report in reports {
        let run = try row(
          "SELECT number, fence FROM fieldstone_run WHERE id = ?", [report.run.description])
        guard let run, let report = report.kept(atFence: try run.whole(1)) else { continue }
        let number = try run.whole(0)
        if let progress = report.progress {
          try execute(
            """
            INSERT INTO fieldstone_report (run, fence, sequence, billionths, text, reported_at) \
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO UPDATE SET fence = excluded.fence, \
            sequence = excluded.sequence, billionths = excluded.billionths, text = excluded.text, \
            reported_at = excluded.reported_at WHERE fieldstone_report.fence <= excluded.fence
            """,
            [
              number, report.fence, progress.sequence, progress.billionths, progress.text,
              progress.reportedAt.stored,
            ])
        }
        for line in report.lines {
          try execute(
            """
            INSERT INTO fieldstone_log (run, fence, number, sequence, logged_at, text, of_runner) \
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
              number, line.place.fence, line.place.number, line.sequence, line.loggedAt.stored,
              line.text, line.isOfRunner,
            ])
        }
        if !report.lines.isEmpty { try trimLog(of: number, to: kept) }
        try execute("INSERT INTO fieldstone_rest (run) VALUES (?)", [number])
      }
    }

    private func trimLog(of number: Int, to kept: Int) throws {
      try execute(
        """
        DELETE FROM fieldstone_log WHERE run = ?1 AND (fence, number) < \
        (SELECT fence, number FROM fieldstone_log WHERE run = ?1 \
        ORDER BY fence DESC, number DESC LIMIT 1 OFFSET ?2)
        """, [number, kept - 1])
    }

    func report(of id: RunID, after place: RunLogLine.Place?) throws -> RunReport {
      let run = try row("SELECT number FROM fieldstone_run WHERE id = ?", [id.description])
      guard let number = try run?.whole(0) else { return RunReport() }
      var report = RunReport()
      report.progress = try row(
        """
        SELECT billionths, text, sequence, reported_at FROM fieldstone_report \
        WHERE run = ? AND billionths IS NOT NULL
        """, [number]
      ).map { row in
        RunProgress(
          billionths: try row.whole(0), text: row.optionalText(1), sequence: try row.whole(2),
          reportedAt: try row.date(3))
      }
      report.lines = try rows(
        """
        SELECT fence, number, text, sequence, logged_at, of_runner FROM fieldstone_log \
        WHERE run = ? AND (fence, number) > (?, ?) ORDER BY fence, number LIMIT 1000
        """, [number, place?.fence ?? -1, place?.number ?? -1]
      ).map { row in
        RunLogLine(
          place: RunLogLine.Place(fence: try row.whole(0), number: try row.whole(1)),
          text: try row.text(2), sequence: try row.whole(3), loggedAt: try row.date(4),
          isOfRunner: try row.whole(5) != 0)
      }
      return report
    }

    func setWorker(_ name: String, to record: WorkerRecord?, at time: JournalTime) throws {
      if let record {
        try execute(
          """
          INSERT INTO fieldstone_worker (name, started_at, seen_at, record) VALUES (?, ?, ?, ?) \
          ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, \
          seen_at = excluded.seen_at, record = excluded.record
          """,
          [name, record.startedAt.stored, time.date.stored, try record.stored])
      } else {
        try execute("DELETE FROM fieldstone_worker WHERE name = ?", [name])
      }
      try removeOldWorkers(at: time)
    }

    func removeOldWorkers(at time: JournalTime) throws {
      let oldest = time.date - WorkerRecord.retentionSeconds
      try execute("DELETE FROM fieldstone_worker WHERE seen_at < ?", [oldest.stored])
    }

    func workers() throws -> [WorkerRecord] {
      try rows("SELECT record, started_at, seen_at FROM fieldstone_worker ORDER BY name")
        .compactMap { row in
          WorkerRecord(
            stored: try row.bytes(0), startedAt: try row.date(1), lastSeenAt: try row.date(2))
        }
    }
  }
#endif
