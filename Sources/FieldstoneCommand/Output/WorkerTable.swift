import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// Workers as a table for a terminal.
enum WorkerTable {
  static func text(of workers: [WorkerRecord], at now: Date) -> String {
    if workers.isEmpty { return "There are no workers.\n" }
    let rows = workers.map { worker in
      [
        worker.name.inOneLine.cut(to: 40),
        "\(worker.machine.inOneLine.cut(to: 40)) \(worker.process)",
        ReportText.flows(of: worker, atMost: 5), "\(worker.runCount)",
        StageText.time(worker.startedAt), ReportText.standing(of: worker, at: now),
        worker.runs.prefix(3).map(\.description).joined(separator: " ")
          + (worker.runCount > 3 ? " …" : ""),
      ]
    }
    return RunTable.table(
      ["worker", "machine", "flows", "runs", "since (UTC)", "", "works on"], rows)
  }
}

extension JSONText {
  /// A worker, on one line.
  static func line(of worker: WorkerRecord, at now: Date) -> String {
    struct Line: Encodable {
      let worker, machine: String
      let process, protocolVersion: Int
      let flows: [WorkerRecord.Flow]
      let startedAt, lastSeenAt: String
      let silent: Bool
      let runCount: Int
      let runs: [RunID]
    }
    func date(_ date: Date) -> String {
      date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    let line = Line(
      worker: worker.name, machine: worker.machine, process: worker.process,
      protocolVersion: worker.protocolVersion, flows: worker.flows,
      startedAt: date(worker.startedAt), lastSeenAt: date(worker.lastSeenAt),
      silent: worker.isSilent(at: now), runCount: worker.runCount, runs: worker.runs)
    guard let data = try? encoder.encode(line) else { return "" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}
