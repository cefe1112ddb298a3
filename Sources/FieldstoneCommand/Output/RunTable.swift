import FieldstoneDurable
import FieldstoneRunDisplay
import Foundation

/// Runs and steps as tables for a terminal.
enum RunTable {
  /// A page of runs, with the number of scanned runs.
  static func text(of found: RunLookup, in order: RunOrder) -> String {
    let text = text(of: found.page, in: order)
    guard let looked = found.looked else { return text }
    let count = RunCount(looked)
    return text + "\(count) runs were looked at"
      + (found.page.nextPlace == nil
        ? ", all that there are.\n" : "; the next page goes on there.\n")
  }

  /// The errors of dead and blocked runs.
  static func text(of groups: [ErrorGroup]) -> String {
    if groups.isEmpty { return "No run is dead or blocked.\n" }
    let rows = groups.map { group in
      [
        group.fingerprint.description, "\(group.runs)", "\(group.youngest)",
        group.sample.inOneLine.cut(to: 80),
      ]
    }
    return table(["error", "runs", "youngest", "for example"], rows)
  }

  /// A page of runs.
  static func text(of page: RunPage, in order: RunOrder = .newestFirst) -> String {
    if page.runs.isEmpty, page.nextPlace == nil { return "There are no such runs.\n" }
    let rows = page.runs.map { run in
      [
        "\(run.id)", run.flow.inOneLine.cut(to: 30), run.key?.inOneLine.cut(to: 30) ?? "",
        run.state.rawValue, "\(run.sequence) \(StageText.name(of: run.payload))",
        "\(run.attempts)", StageText.time(run.startedAt), StageText.standing(of: run),
      ]
    }
    let table =
      page.runs.isEmpty
      ? ""
      : table(
        ["run", "flow", "key", "state", "stage", "attempts", "started (UTC)", ""], rows)
    guard let next = page.nextPlace else { return table }
    let option = order == .newestFirst ? "--before" : "--after"
    return table + "There are more: \(option) \(next)\n"
  }

  /// A run with some of its steps.
  static func text(of run: RunRecord, _ shown: ShownSteps) -> String {
    var lines = [
      ("run", "\(run.id)"), ("flow", "\(run.flow.inOneLine), version \(run.version)"),
      ("state", [run.state.rawValue, StageText.standing(of: run)].joined(separator: " ")),
      ("started", StageText.time(run.startedAt) + " UTC"),
      ("changed", StageText.time(run.changedAt) + " UTC"),
      (
        "attempts",
        "\(run.attempts), \(run.crashes > 0 ? "\(run.crashes) crashes, " : "")"
          + "claimed \(run.fence) times in all"
      ),
      (run.state == .completed ? "completion" : "stage", StageText.text(of: run.payload)),
    ]
    if let key = run.key { lines.insert(("key", key.inOneLine), at: 2) }
    if let origin = run.origin {
      lines.append(("forked", "from \(origin.run), stage \(origin.sequence)"))
    }
    if let parent = run.parent { lines.append(("parent", "\(parent)")) }
    if let progress = shown.report.progress {
      lines.append(("progress", ReportText.progress(progress)))
    }
    if let error = run.error { lines.append(("error", error.inOneLine)) }
    let width = lines.map(\.0.count).max() ?? 0
    let head = lines.map { name, value in
      name.padded(to: width + 2) + value.trimmingCharacters(in: .whitespaces)
    }
    var rows = shown.steps.map { step in
      [
        "\(step.sequence)", StageText.name(of: step.payload), step.kind.rawValue,
        "\(step.attempts)", StageText.time(step.beganAt),
        StageText.duration(step.endedAt.timeIntervalSince(step.beganAt)),
        step.worker?.inOneLine.cut(to: 30) ?? "", step.error?.inOneLine.cut(to: 80) ?? "",
      ]
    }
    if shown.endsAtRun { rows.append(row(of: run)) }
    let titles = ["", "stage", "how", "attempts", "since (UTC)", "took", "worker", "error"]
    return head.joined(separator: "\n") + "\n\n"
      + (rows.isEmpty ? "There are no such steps.\n" : table(titles, rows)) + rest(of: shown)
      + children(shown.children) + log(shown)
  }

  /// The run's current stage, the row after its steps.
  private static func row(of run: RunRecord) -> [String] {
    [
      "\(run.sequence)", run.state == .completed ? "" : StageText.name(of: run.payload),
      run.state.rawValue, "\(run.attempts)", StageText.time(run.changedAt), "",
      run.worker?.inOneLine.cut(to: 30) ?? "", run.error?.inOneLine.cut(to: 80) ?? "",
    ]
  }

  /// The first children of a run.
  private static func children(_ page: ChildPage) -> String {
    if page.children.isEmpty { return "" }
    let rows = page.children.map { child in
      [
        "\(child.place.sequence)", "\(child.place.ordinal)", "\(child.id)",
        child.flow.inOneLine.cut(to: 30), child.state.rawValue, child.end?.rawValue ?? "",
        child.error?.inOneLine.cut(to: 80) ?? "",
      ]
    }
    let titles = ["stage", "child", "run", "flow", "state", "for its parent", "error"]
    return "\n" + table(titles, rows) + (page.next == nil ? "" : "There are more children.\n")
  }

  /// The newest log lines, each with the number of missing lines before it.
  private static func log(_ shown: ShownSteps) -> String {
    let lines = shown.report.lines
    if lines.isEmpty { return "" }
    var rows: [[String]] = []
    for index in lines.indices.dropFirst(shown.firstLine) {
      // The lines missing before the first one may have been deleted by the retention.
      if let missing = ReportText.missing(shown.report.missingLines(before: index)) {
        rows.append(["", "", missing])
      }
      rows.append([
        StageText.time(lines[index].loggedAt), "\(lines[index].sequence)",
        (lines[index].isOfRunner ? "runner: " : "") + ReportText.line(lines[index]),
      ])
    }
    let older = shown.firstLine
    let words = older == 1 ? "is 1 older line" : "are \(older) older lines"
    return "\n" + table(["logged (UTC)", "stage", "line"], rows)
      + (older == 0 ? "" : "There \(words): --lines all\n")
  }

  private static func rest(of shown: ShownSteps) -> String {
    guard let next = shown.next else { return "" }
    let words = shown.older == 1 ? "is 1 older step" : "are \(shown.older) older steps"
    return "There \(words): --before \(next), or --steps all\n"
  }

  /// Columns as wide as their widest cell; empty columns are omitted.
  static func table(_ titles: [String], _ rows: [[String]]) -> String {
    let widths = titles.indices.compactMap { column -> (column: Int, width: Int)? in
      let width = rows.map { $0[column].count }.max() ?? 0
      return width == 0 ? nil : (column, max(width, titles[column].count))
    }
    return ([titles] + rows).map { row in
      let line = widths.map { row[$0.column].padded(to: $0.width) }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(width - count, 0))
  }
}

/// Some of a run's steps, oldest first.
struct ShownSteps {
  var steps: [StepRecord] = []
  /// The number of existing older steps.
  var older = 0
  /// Whether the run's current stage directly follows them.
  var endsAtRun = true
  /// The first of the run's children.
  var children = ChildPage(children: [])
  /// The reports of the run's stages.
  var report = RunReport()
  /// The index of the first line shown.
  var firstLine = 0

  /// The end of the previous part; nil if there is none.
  var next: Int? { older > 0 ? steps.first?.sequence : nil }
}
