#if Inspector
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A run: how it stands, its path, and its stages with times, errors and differences.
  struct RunDetailPage {
    let parts: PageParts
    let run: RunRecord
    /// The steps that are shown, the oldest first.
    let steps: [StepRecord]
    /// The stage before the first of these.
    let earlier: StepRecord?
    /// Whether the run itself comes after the steps.
    let endsAtRun: Bool
    /// What was just done to it.
    var done: RunAction?

    var page: InspectorPage {
      InspectorPage(
        title: "Run \(run.key?.inOneLine.cut(to: 60) ?? "\(run.id)")",
        live: .joined([notice, heading, actions, facts, chain, path]))
    }

    private var notice: HTML {
      guard let done else { return .empty }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(done.result)
      }
    }

    private var heading: HTML {
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") {
          HTML.text(run.key?.inOneLine.cut(to: 120) ?? "\(run.id)")
        }
        parts.badge(run.state)
        HTML.element("p", [.class("standing")]) { parts.standing(of: run) }
      }
    }

    private var actions: HTML {
      if parts.isReadOnly { return .empty }
      return HTML.element("div", [.class("buttons actions")]) {
        for action in RunAction.allCases where action.isAllowed(in: run.state) {
          parts.link(
            action.title, to: parts.address.action(action, on: run.id),
            class: action == .cancel ? "button danger" : "button")
        }
      }
    }

    private var facts: HTML {
      HTML.element("dl", [.class("facts")]) {
        fact("Flow") {
          parts.link(run.flow, to: parts.address.runs(RunFilter(flow: run.flow)))
          HTML.text(" version \(run.version)")
        }
        fact("Run") { HTML.element("code") { HTML.text("\(run.id)") } }
        fact("Started") { parts.wholeTime(run.startedAt) }
        fact("Changed") { parts.wholeTime(run.changedAt) }
        if run.state == .ready, let due = run.dueAt, due != .distantFuture {
          fact(run.awaitedSignal != nil && run.attempts == 0 ? "Times out" : "Due") {
            parts.wholeTime(due)
          }
        }
        if let signal = run.awaitedSignal { fact("Signal") { parts.code(signal) } }
        fact("Attempts") {
          HTML.text(
            "\(run.attempts)" + (run.crashes > 0 ? ", \(run.crashes) crashes" : "")
              + (run.fence == 1
                ? ", claimed once" : ", claimed \(parts.grouped(run.fence)) times in all"))
        }
        if let worker = run.worker { fact("Worker") { parts.code(worker) } }
        if let error = run.error {
          fact("Error") { HTML.element("pre", [.class("error")]) { HTML.text(error) } }
        }
      }
    }

    private func fact(_ name: String, @HTMLBuilder _ value: () -> HTML) -> HTML {
      let value = value()
      return HTML.element("div") {
        HTML.element("dt") { HTML.text(name) }
        HTML.element("dd") { value }
      }
    }

    private var path: HTML {
      let picture = parts.address.path(of: run.id)
      return HTML.element("section", [.class("path")]) {
        HTML.element("h2") { HTML.text("Path") }
        HTML.element("a", [.address("href", picture)]) {
          HTML.element(
            "img",
            [
              .address("src", "\(picture)?at=\(run.sequence)-\(run.fence)-\(run.state.rawValue)"),
              HTMLAttribute("alt", "The path of the run; the table of stages has it in words."),
              HTMLAttribute("loading", "lazy"),
            ])
        }
      }
    }

    private var chain: HTML {
      let window = TimeWindow(steps: steps, run: endsAtRun ? run : nil, now: parts.now)
      return HTML.element("section", [.class("stages")]) {
        HTML.element("h2") { HTML.text("Stages") }
        HTML.element(
          "ol", [.class("chain"), HTMLAttribute("start", "\(steps.first?.sequence ?? 0)")]
        ) {
          if endsAtRun { current(window) }
          for index in steps.indices.reversed() {
            item(steps[index], before: index > 0 ? steps[index - 1] : earlier, window)
          }
        }
        HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of stages")]) {
          if !endsAtRun { parts.link("Newest", to: parts.address.run(run.id), class: "button") }
          if let first = steps.first, earlier != nil {
            parts.link(
              "Older", to: parts.address.steps(of: run.id, before: first.sequence), class: "button")
          } else if let first = steps.first?.sequence ?? (endsAtRun ? run.sequence : nil), first > 0
          {
            HTML.element("p", [.class("note")]) { HTML.text("Older stages were purged.") }
          }
        }
      }
    }

    private func current(_ window: TimeWindow) -> HTML {
      let difference = StageDifference(run.payload, before: (steps.last ?? earlier)?.payload)
      return HTML.element("li", [.class("current \(run.state.rawValue)")]) {
        HTML.element(
          "details", [.id("stage-\(run.sequence)"), HTMLAttribute("open", isOn: true)]
        ) {
          HTML.element("summary") {
            cell("sequence", parts.grouped(run.sequence))
            cell("name", run.state == .completed ? "completion" : StageText.name(of: run.payload))
            HTML.element("span", [.class("how")]) { parts.badge(run.state) }
            cell("attempts", run.attempts > 1 ? "\(run.attempts) attempts" : "")
            HTML.element("span", [.class("began")]) { parts.time(run.changedAt) }
            cell("took", "")
            window.bar(from: run.changedAt, to: run.state.isOver ? run.changedAt : parts.now)
          }
          parts.stage(difference)
          raw(run.sequence)
        }
      }
    }

    private func item(_ step: StepRecord, before: StepRecord?, _ window: TimeWindow) -> HTML {
      HTML.element("li", [.class(step.kind.rawValue)]) {
        HTML.element("details", [.id("stage-\(step.sequence)")]) {
          HTML.element("summary") {
            cell("sequence", parts.grouped(step.sequence))
            cell("name", StageText.name(of: step.payload))
            cell("how", step.kind.rawValue)
            cell("attempts", step.attempts > 1 ? "\(step.attempts) attempts" : "")
            HTML.element("span", [.class("began")]) { parts.time(step.beganAt) }
            cell("took", StageText.duration(step.endedAt.timeIntervalSince(step.beganAt)))
            window.bar(from: step.beganAt, to: step.endedAt)
          }
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "Began \(StageText.time(step.beganAt)) UTC, version \(step.version), claim \(step.fence)"
                + (step.worker.map { ", worker \($0.inOneLine.cut(to: 60))" } ?? ""))
          }
          if let error = step.error {
            HTML.element("pre", [.class("error")]) { HTML.text(error) }
          }
          parts.stage(StageDifference(step.payload, before: before?.payload))
          raw(step.sequence)
        }
      }
    }

    private func cell(_ name: String, _ text: String) -> HTML {
      HTML.element("span", [.class(name)]) { HTML.text(text) }
    }

    private func raw(_ sequence: Int) -> HTML {
      HTML.element("p", [.class("note")]) {
        parts.link("The JSON", to: parts.address.stage(sequence, of: run.id))
      }
    }
  }

  /// The time that the bars of a chain have in common.
  struct TimeWindow {
    private var begin: Date
    private var length: TimeInterval

    init(steps: [StepRecord], run: RunRecord?, now: Date) {
      begin = steps.first?.beganAt ?? run?.startedAt ?? now
      let last = steps.last?.endedAt ?? begin
      let end = run.map { $0.state.isOver ? max($0.changedAt, last) : now } ?? last
      length = max(end.timeIntervalSince(begin), 0.001)
    }

    /// A bar in the column of times; decoration, as the times stand beside it.
    func bar(from: Date, to: Date) -> HTML {
      let start = place(from)
      let width = max(place(to) - start, 0.6)
      return HTML.element(
        "svg",
        [
          .class("bar"), HTMLAttribute("viewBox", "0 0 100 8"),
          HTMLAttribute("preserveAspectRatio", "none"), HTMLAttribute("aria-hidden", "true"),
        ]
      ) {
        HTML.element(
          "rect",
          [
            HTMLAttribute("x", tenths(min(start, 99.4))), HTMLAttribute("width", tenths(width)),
            HTMLAttribute("height", "8"),
          ])
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
