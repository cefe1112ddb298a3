package import FieldstoneDurable
package import Foundation

/// Progress, log lines and workers as text.
package enum ReportText {
  /// The completed part of the work in whole percent; below 100 until it is complete.
  package static func percent(_ progress: RunProgress) -> String {
    let fraction = progress.clampedFraction
    // 0.29 · 100 is a little less than 29.
    return fraction >= 1 ? "100 %" : "\(min(99, Int(fraction * 100 + 1e-6))) %"
  }

  /// A progress on one line, with the stage that reported it.
  package static func progress(_ progress: RunProgress) -> String {
    let text = progress.text.map { ": \($0.inOneLine.cut(to: 200))" } ?? ""
    return "\(percent(progress)) at stage \(progress.sequence), "
      + "\(StageText.time(progress.reportedAt)) UTC\(text)"
  }

  /// A log line on one line.
  package static func line(_ line: RunLogLine) -> String { line.text.inOneLine.cut(to: 1_000) }

  /// The number of missing lines as text; nil for none.
  package static func missing(_ count: Int) -> String? {
    switch count {
    case ..<1: nil
    case 1: "1 line is missing"
    default: "\(count) lines are missing"
    }
  }

  /// The first flows of a worker, with their versions.
  package static func flows(of worker: WorkerRecord, atMost count: Int) -> String {
    let names = worker.flows.prefix(count).map { "\($0.name.inOneLine.cut(to: 40)) \($0.version)" }
    let rest = worker.flows.count - names.count
    return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The time at which a worker was last seen, and whether it is overdue.
  package static func standing(of worker: WorkerRecord, at date: Date) -> String {
    let ago = StageText.duration(date.timeIntervalSince(worker.lastSeenAt))
    return worker.isSilent(at: date) ? "silent for \(ago)" : "seen \(ago) ago"
  }
}
