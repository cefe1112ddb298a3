import Foundation

extension InMemoryRuns {
  mutating func write(_ reports: [RunReportWrite], keeping kept: Int) {
    for write in reports {
      guard let fence = all[write.run]?.record.fence, let write = write.kept(atFence: fence) else {
        continue
      }
      // Changed in place: a copy would copy all lines.
      var report = self.reports.removeValue(forKey: write.run) ?? RunReport()
      if let progress = write.progress, write.fence >= progressFences[write.run] ?? 0 {
        report.progress = progress
        progressFences[write.run] = write.fence
      }
      report.lines.add(write.lines, keeping: kept)
      self.reports[write.run] = report
      noteChange(of: write.run)
    }
  }

  func report(of id: RunID, after place: RunLogLine.Place?) -> RunReport {
    guard var report = reports[id] else { return RunReport() }
    if let place { report.lines.removeAll { $0.place <= place } }
    return report
  }

  mutating func setWorker(_ name: String, to record: WorkerRecord?, at time: JournalTime) {
    var record = record
    record?.lastSeenAt = time.date
    workers[Array(name.utf8)] = record
    dropOldWorkers(at: time)
  }

  mutating func dropOldWorkers(at time: JournalTime) {
    let oldest = time.date - WorkerRecord.retentionSeconds
    workers = workers.filter { $0.value.lastSeenAt >= oldest }
  }

  var workersInOrder: [WorkerRecord] {
    workers.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
  }
}

extension [RunLogLine] {
  /// Adds the new lines in the order of their places, and drops the oldest.
  fileprivate mutating func add(_ lines: [RunLogLine], keeping kept: Int) {
    for line in lines {
      let index = lastIndex { $0.place <= line.place }.map { $0 + 1 } ?? 0
      if index > 0, self[index - 1].place == line.place { continue }
      insert(line, at: index)
    }
    if count > kept { removeFirst(count - kept) }
  }
}
