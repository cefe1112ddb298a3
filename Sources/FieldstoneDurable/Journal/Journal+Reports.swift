package import Foundation

extension Journal {
  /// Does nothing: a journal without this requirement stores no reports.
  public func write(_ reports: [RunReportWrite], at time: JournalTime) async throws {}

  /// Empty: a journal without this requirement stores no reports.
  public func report(of id: RunID, after place: RunLogLine.Place?) async throws -> RunReport {
    RunReport()
  }

  /// Does nothing: a journal without this requirement stores no workers.
  public func setWorker(
    _ name: String, to record: WorkerRecord?, at time: JournalTime
  ) async throws {}

  /// None: a journal without this requirement stores no workers.
  public func workers() async throws -> [WorkerRecord] { [] }
}

extension PayloadLimits {
  /// The number of log lines that a run keeps, at most as many as a journal returns at once.
  package var keptLogLines: Int { min(max(logLines, 1), 1_000) }

  /// Throws for reports with an invalid text.
  package func check(_ reports: [RunReportWrite]) throws(JournalError) {
    for report in reports {
      for text in [report.progress?.text].compactMap(\.self) + report.lines.map(\.text) {
        let bytes = text.utf8.count
        if bytes > error { throw .tooLarge(bytes: bytes, limit: error) }
      }
    }
  }

  /// Throws for a worker's name that is too long or contains a NUL.
  package func checkName(ofWorker name: String) throws(JournalError) {
    try checkName(ofSchedule: name)
  }

  /// The text as stored in a log line: at most ``logLine`` bytes, without the character NUL.
  ///
  /// - Complexity: O(``logLine``).
  package func bounded(_ text: String) -> String {
    text.stored(inBytes: max(logLine, 16))
  }
}

extension String {
  /// The text as stored for operators: at most some bytes, without the character NUL, at which some
  /// journals truncate a text.
  ///
  /// - Complexity: O(the bytes that are kept).
  func stored(inBytes most: Int) -> String {
    let text = cut(toBytes: most)
    // The stand-in is longer than the NUL.
    return text.utf8.contains(0) ? text.replacing("\0", with: "␀").cut(toBytes: most) : text
  }

  /// The longest beginning of whole scalars in some bytes, with a mark if that is not all.
  private func cut(toBytes most: Int) -> String {
    guard utf8.count > most else { return self }
    let mark = "…"
    var end = utf8.index(utf8.startIndex, offsetBy: most - mark.utf8.count)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + mark
  }
}

extension RunProgress {
  /// The fraction in billionths, as stored in databases.
  package var billionths: Int { Int((clampedFraction * 1e9).rounded()) }

  /// Makes a progress from a database's values.
  package init(billionths: Int, text: String?, sequence: Int, reportedAt: Date) {
    self.init(
      Double(billionths) / 1e9, text: text, sequence: sequence, reportedAt: reportedAt)
  }
}

extension WorkerRecord {
  /// The record as JSON for databases, without the times, which have their own columns.
  package var stored: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  /// Reads a database's value.
  ///
  /// - Returns: nil if newer code wrote it in an unreadable form.
  package init?(stored: Data, startedAt: Date, lastSeenAt: Date) {
    guard var record = try? JSONDecoder().decode(Self.self, from: stored) else { return nil }
    record.startedAt = startedAt
    record.lastSeenAt = lastSeenAt
    self = record
  }

  /// ``retention`` in seconds.
  package static var retentionSeconds: TimeInterval { retention / .seconds(1) }
}
