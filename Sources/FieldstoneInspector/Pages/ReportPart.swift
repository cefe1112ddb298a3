#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A run's reports, on its page.
  struct ReportPart {
    let parts: PageParts
    let report: RunReport

    /// The maximum number of lines shown, the newest.
    private static let shown = 200

    /// A progress bar with its value in words.
    var progress: HTML {
      guard let progress = report.progress else { return .empty }
      let percent = ReportText.percent(progress)
      return .joined([
        HTML.element(
          "progress",
          [
            HTMLAttribute("max", "1"), HTMLAttribute("value", "\(progress.fraction)"),
            HTMLAttribute("aria-label", "Progress of the run"),
          ]
        ) { HTML.text(percent) },
        HTML.text(" \(percent)"),
        progress.text.map { HTML.text(", \($0.inOneLine.cut(to: 200))") } ?? .empty,
        HTML.element("span", [.class("quiet")]) {
          HTML.text(" at stage \(parts.grouped(progress.sequence)), ")
          parts.time(progress.reportedAt)
        },
      ])
    }

    /// The newest log lines, oldest first.
    var log: HTML {
      if report.lines.isEmpty { return .empty }
      let hidden = max(0, report.lines.count - Self.shown)
      return parts.section("Log") {
        if hidden > 0 {
          HTML.element("p", [.class("note")]) {
            HTML.text("\(parts.grouped(hidden)) older lines are not shown.")
          }
        }
        HTML.element(
          "ol",
          [
            .class("log"), HTMLAttribute("tabindex", "0"),
            HTMLAttribute("aria-label", "Log lines of the run"),
          ]
        ) {
          for index in report.lines.indices.dropFirst(hidden) {
            if let missing = ReportText.missing(report.missingLines(before: index)) {
              HTML.element("li", [.class("note")]) { HTML.text(missing) }
            }
            item(report.lines[index])
          }
        }
      }
    }

    private func item(_ line: RunLogLine) -> HTML {
      HTML.element("li", line.isOfRunner ? [.class("of-runner")] : []) {
        HTML.element("span", [.class("clock")]) { HTML.text(StageText.time(line.loggedAt)) }
        HTML.element("span", [.class("quiet")]) {
          HTML.text("stage \(parts.grouped(line.sequence))")
        }
        HTML.element("span", [.class("text")]) { HTML.text(ReportText.line(line)) }
      }
    }
  }
#endif
