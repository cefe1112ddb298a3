#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The common time range of a chain's bars.
  struct TimeWindow {
    private var begin: Date
    private var length: TimeInterval

    init(steps: [StepRecord], run: RunRecord?, now: Date) {
      begin = steps.first?.beganAt ?? run?.startedAt ?? now
      let last = steps.last?.endedAt ?? begin
      let end = run.map { $0.state.isOver ? max($0.changedAt, last) : now } ?? last
      length = max(end.timeIntervalSince(begin), 0.001)
    }

    /// A bar in the column of times: the wait since the previous stage, and the work.
    ///
    /// - Parameters:
    ///   - from: the beginning of the work.
    ///   - to: its end.
    ///   - before: the end of the previous stage.
    ///   - marks: when the runner noted that an attempt failed, its worker died or was refused.
    ///   - isWaiting: whether no work is under way.
    func bar(
      from: Date, to: Date, after before: Date?, marks: [Date] = [], isWaiting: Bool = false
    ) -> HTML {
      let start = place(from)
      let width = max(place(to) - start, 0.6)
      let wait = before.map { from.timeIntervalSince($0) } ?? 0
      let waited = wait >= 0.001 ? "waited \(StageText.duration(wait)), " : ""
      let work = StageText.duration(to.timeIntervalSince(from))
      // A crash may have two: of the worker that took over, and of the one that was refused.
      let notes =
        switch marks.count {
        case 0: ""
        case 1: ", 1 note of a failure, crash or refusal"
        default: ", \(marks.count) notes of failures, crashes or refusals"
        }
      return HTML.element(
        "svg",
        [
          .class("bar"), HTMLAttribute("viewBox", "0 0 100 8"),
          HTMLAttribute("preserveAspectRatio", "none"), HTMLAttribute("role", "img"),
          HTMLAttribute(
            "aria-label",
            (isWaiting ? "has waited \(work)" : "\(waited)worked \(work)") + notes),
        ]
      ) {
        if wait >= 0.001, let before {
          rect(place(before), start - place(before), y: "3", height: "2", "wait")
        }
        rect(
          min(start, 99.4), width, y: isWaiting ? "3" : "0", height: isWaiting ? "2" : "8",
          isWaiting ? "wait" : "work")
        for mark in marks.prefix(Self.mostMarks) {
          rect(min(place(mark), 99.2), 0.8, y: "0", height: "8", "mark")
        }
      }
    }

    /// The largest number of marks in a bar.
    private static let mostMarks = 50

    private func rect(
      _ x: Double, _ width: Double, y: String, height: String, _ name: String
    ) -> HTML {
      HTML.element(
        "rect",
        [
          .class(name), HTMLAttribute("x", tenths(x)), HTMLAttribute("y", y),
          HTMLAttribute("width", tenths(width)), HTMLAttribute("height", height),
        ])
    }

    /// The first and the last time of the range.
    var axis: HTML {
      HTML.element("p", [.class("axis note")]) {
        HTML.text("Bars from ")
        HTML.element("span", [.class("clock")]) { HTML.text(StageText.time(begin)) }
        HTML.text(" to ")
        HTML.element("span", [.class("clock")]) {
          HTML.text(StageText.time(begin.addingTimeInterval(length)))
        }
        HTML.text(
          " UTC (\(StageText.duration(length))): thin while it waited, thick while it worked, marked where "
            + "an attempt failed, its worker died or was refused.")
      }
    }

    private func place(_ date: Date) -> Double {
      let part = date.timeIntervalSince(begin) / length * 100
      return part.isFinite ? min(max(part, 0), 100) : 0
    }

    private func tenths(_ value: Double) -> String {
      let tenths = Int((value * 10).rounded())
      return "\(tenths / 10).\(tenths % 10)"
    }
  }
#endif
