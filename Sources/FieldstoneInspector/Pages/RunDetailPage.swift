#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A run: its state, its path, and its stages with times, errors and differences.
  struct RunDetailPage {
    let parts: PageParts
    let run: RunRecord
    /// The shown steps, oldest first.
    let steps: [StepRecord]
    /// The stage before the first of these steps.
    let earlier: StepRecord?
    /// Whether the run's current stage follows the steps.
    let endsAtRun: Bool
    /// What the journal knows of why it waits.
    let standing: RunStanding
    /// Its first children, if any.
    var children = ChildPage(children: [])
    /// The reports of its stages.
    var report = RunReport()
    /// The result of the last action on it.
    var done: String?

    var page: InspectorPage {
      InspectorPage(
        title: "Run \(run.title(to: 60))",
        live: .joined([
          notice, heading, actions, facts, errors, childTable, reported.log, chain, path,
        ]))
    }

    private var notice: HTML {
      guard let done else { return .empty }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(done)
      }
    }

    private var reported: ReportPart { ReportPart(parts: parts, report: report) }

    private var heading: HTML {
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") { HTML.text(run.title(to: 120)) }
        if let note = run.keyNote {
          HTML.element("span", [.class("quiet")]) { HTML.text(note) }
        }
        parts.badge(run.state)
        HTML.element("p", [.class("standing")]) { parts.standing(of: run, standing) }
        if let advice = parts.advice(parts.waits.reason(for: standing, at: parts.now)) {
          HTML.element("p", [.class("note advice")]) { HTML.text(advice) }
        }
      }
    }

    private var actions: HTML {
      HTML.element("div", [.class("buttons actions")]) {
        for action in RunAction.allCases where !parts.isReadOnly && action.isAllowed(in: run.state)
        {
          parts.link(
            action.title, to: parts.address.action(action, on: run.id),
            class: action == .cancel ? "button danger" : "button")
        }
        if !parts.isReadOnly, !run.state.isOver {
          parts.link(
            run.isPaused ? "Resume…" : "Pause…",
            to: parts.address.pausing(run.isPaused ? .resume : .pause, .run(run.id)),
            class: "button")
        }
        parts.link("Copy as…", to: parts.address.copy(run.id), class: "button")
      }
    }

    private var facts: HTML {
      HTML.element("dl", [.class("facts")]) {
        fact("Flow") {
          parts.link(run.flow.inOneLine.cut(to: 60), to: parts.address.flow(run.flow))
          HTML.text(" version \(run.version)")
        }
        fact("Run") { HTML.element("code") { HTML.text("\(run.id)") } }
        if let origin = run.origin {
          fact("Forked from") {
            parts.link("\(origin.run)", to: parts.address.run(origin.run), class: "id")
            HTML.text(", stage \(origin.sequence)")
          }
        }
        if let parent = run.parent {
          fact("Parent") { parts.link("\(parent)", to: parts.address.run(parent), class: "id") }
        }
        if let key = run.concurrencyKey { fact("Shares") { parts.code(key) } }
        if !run.attributes.isEmpty { fact("Attributes") { attributes } }
        if let join = run.join { fact("Children") { HTML.text(text(of: join)) } }
        fact("Started") { parts.wholeTime(run.startedAt) }
        fact("Changed") { parts.wholeTime(run.changedAt) }
        if run.state == .ready, let due = run.dueAt, due != .distantFuture {
          let hasTimeOut = !run.awaitedSignals.isEmpty || run.join?.policy != nil
          fact(hasTimeOut && run.attempts == 0 ? "Times out" : "Due") {
            parts.wholeTime(due)
          }
        }
        if !run.awaitedSignals.isEmpty {
          fact(run.awaitedSignals.count > 1 ? "Signals" : "Signal") {
            parts.alternatives(run.awaitedSignals)
          }
        }
        fact("Attempts") {
          HTML.text(
            "\(run.attempts)" + (run.crashes > 0 ? ", \(run.crashes) crashes" : "")
              + (run.fence == 1
                ? ", claimed once" : ", claimed \(parts.grouped(run.fence)) times in all"))
        }
        if report.progress != nil { fact("Progress") { reported.progress } }
        if let worker = run.worker { fact("Worker") { parts.code(worker) } }
        if let error = run.error {
          fact("Error") { whole(error) }
        }
      }
    }

    private func text(of join: RunJoin) -> String {
      let stage = "started by stage \(parts.grouped(join.sequence))"
      let last = join.open == 1 ? "one has" : "\(parts.grouped(join.open)) have"
      return switch join.policy {
      case nil:
        join.open == 0
          ? "\(stage); all have ended" : "\(stage); it goes on without \(parts.grouped(join.open))"
      case .all: "\(stage); it waits until the last \(last) ended"
      case .first:
        "\(stage); it waits for the "
          + (join.open == 1 ? "last one" : "first of \(parts.grouped(join.open))")
      case .failFast:
        "\(stage); it waits until the last \(last) ended\(join.open == 1 ? "" : " or one has failed")"
      }
    }

    private var childTable: HTML {
      if children.children.isEmpty { return .empty }
      return HTML.element("section", [.id("children")]) {
        HTML.element("h2") { HTML.text("Children") }
        parts.table(of: children.children, label: "Children of the run")
        if children.next != nil {
          HTML.element("p", [.class("more")]) {
            parts.link("All of them", to: parts.address.children(of: run.id))
          }
        }
      }
    }

    /// What became of the attempts at the shown stages, newest first, and the time of the next.
    ///
    /// Each attempt that failed or followed a crash has a line of the runner. An error that no line
    /// tells is shown by itself: a run has a bounded number of lines.
    private var errors: HTML {
      let first = steps.first?.sequence ?? run.sequence
      let last = endsAtRun ? run.sequence : steps.last?.sequence ?? run.sequence
      let lines = report.lines.filter { $0.isOfRunner && (first...max(first, last)) ~= $0.sequence }
      func isTold(_ error: String, at sequence: Int) -> Bool {
        lines.contains { $0.sequence == sequence && $0.text.contains(error.prefix(100)) }
      }
      let failed = steps.reversed().filter { step in
        step.error.map { !isTold($0, at: step.sequence) } ?? false
      }
      let isLastShown =
        endsAtRun && run.error.map { !isTold($0, at: run.sequence) } ?? false
      if failed.isEmpty && lines.isEmpty && !isLastShown { return .empty }
      return parts.section("Errors") {
        HTML.element("table", [.class("errors cards"), HTMLAttribute("aria-label", "Errors")]) {
          HTML.element("thead") {
            HTML.element("tr") {
              for title in ["Stage", "When", "Error"] {
                HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
              }
            }
          }
          HTML.element("tbody") {
            for line in lines.suffix(Self.shownLines).reversed() { row(line) }
            if isLastShown, let error = run.error {
              row(run.sequence, run.payload, run.attempts, run.changedAt, error, isLast: true)
            }
            for step in failed {
              row(
                step.sequence, step.payload, step.attempts, step.endedAt, step.error ?? "",
                isLast: false)
            }
          }
        }
      }
    }

    /// The largest number of lines about attempts.
    private static let shownLines = 100

    private func row(_ line: RunLogLine) -> HTML {
      let payload =
        steps.first { $0.sequence == line.sequence }?.payload
        ?? (line.sequence == run.sequence ? run.payload : nil)
      return HTML.element("tr") {
        stageCell(line.sequence, payload)
        HTML.element("td") {
          parts.time(line.loggedAt)
          if line.sequence == run.sequence, line == report.lines.last(where: \.isOfRunner) { next }
        }
        HTML.element("td", [.class("detail error")]) { HTML.text(line.text.inOneLine.cut(to: 400)) }
      }
    }

    private func stageCell(_ sequence: Int, _ payload: Data?) -> HTML {
      HTML.element("td") {
        HTML.element("a", [.address("href", "#stage-\(sequence)")]) {
          HTML.text(
            parts.grouped(sequence) + (payload.map { " \(parts.redaction.name(of: $0))" } ?? ""))
        }
      }
    }

    /// When the next attempt begins.
    private var next: HTML {
      guard run.state == .ready, run.attempts > 0, let due = run.dueAt else { return .empty }
      return .joined([HTML.text("; next attempt "), parts.time(due)])
    }

    private func row(
      _ sequence: Int, _ payload: Data, _ attempts: Int, _ date: Date, _ error: String, isLast: Bool
    ) -> HTML {
      HTML.element("tr") {
        stageCell(sequence, payload)
        HTML.element("td") {
          parts.time(date)
          if isLast { next }
        }
        HTML.element("td", [.class("detail error")]) {
          HTML.text(
            (attempts > 1 ? "After \(attempts) attempts: " : "") + error.inOneLine.cut(to: 400))
        }
      }
    }

    /// The attributes; each links to the runs with the same value.
    private var attributes: HTML {
      .joined(
        run.attributes.sorted { $0.key < $1.key }.enumerated().map { index, attribute in
          let isHidden = parts.redaction.hides(attribute.key)
          let value = isHidden ? RedactedJSON.dots : attribute.value.typed
          let text = "\(attribute.key)=\(value)"
            .inOneLine.cut(to: 120)
          // The address of a filter has the value.
          let filter = isHidden ? nil : AttributeFilter(attribute.key, attribute.value)
          return .joined([
            index == 0 ? .empty : HTML.text(", "),
            filter.map { parts.link(text, to: parts.address.runs(RunFilter(attribute: $0))) }
              ?? HTML.text(text),
          ])
        })
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
        HTML.element("figure") {
          HTML.element("a", [.address("href", picture)]) {
            HTML.element(
              "img",
              [
                .address("src", "\(picture)?at=\(run.sequence)-\(run.fence)-\(run.state.rawValue)"),
                HTMLAttribute("alt", "The run's path on the diagram of its flow: \(pathWords)"),
                HTMLAttribute("loading", "lazy"),
              ])
          }
          HTML.element("figcaption", [.class("note")]) {
            HTML.text(
              "The run's path is marked on the diagram of its flow, as the newest runs show it. "
                + "Grey: only other runs came through there.")
          }
        }
      }
    }

    /// The path of the shown stages in words, and where the run is now.
    private var pathWords: String {
      var graph = RunGraph(run, name: parts.redaction.name(of:))
      for step in steps { graph.add(step) }
      graph.end()
      return graph.words
    }

    private var chain: HTML {
      let window = TimeWindow(steps: steps, run: endsAtRun ? run : nil, now: parts.now)
      return HTML.element("section", [.class("stages")]) {
        HTML.element("h2") { HTML.text("Stages") }
        if !steps.isEmpty { window.axis }
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
      let difference = StageDifference(
        run.payload, before: (steps.last ?? earlier)?.payload, hiding: parts.redaction)
      return HTML.element("li", [.class("current \(run.state.rawValue)")]) {
        HTML.element(
          "details", [.id("stage-\(run.sequence)"), HTMLAttribute("open", isOn: true)]
        ) {
          HTML.element("summary") {
            cell("sequence", parts.grouped(run.sequence))
            cell(
              "name", run.state == .completed ? "completion" : parts.redaction.name(of: run.payload)
            )
            HTML.element("span", [.class("how")]) { parts.badge(run.state) }
            cell("attempts", run.attempts > 1 ? "\(run.attempts) attempts" : "")
            HTML.element("span", [.class("began")]) { parts.time(run.changedAt) }
            cell("took", "")
            window.bar(
              from: run.changedAt, to: run.state.isOver ? run.changedAt : parts.now,
              after: steps.last?.endedAt, marks: failures(at: run.sequence),
              isWaiting: run.state != .running && !run.state.isOver)
          }
          parts.stage(difference)
          raw(run.sequence, isStage: run.state != .completed)
        }
      }
    }

    private func item(_ step: StepRecord, before: StepRecord?, _ window: TimeWindow) -> HTML {
      HTML.element("li", [.class(step.kind.rawValue)]) {
        HTML.element("details", [.id("stage-\(step.sequence)")]) {
          HTML.element("summary") {
            cell("sequence", parts.grouped(step.sequence))
            cell("name", parts.redaction.name(of: step.payload))
            cell("how", step.kind.rawValue)
            cell("attempts", step.attempts > 1 ? "\(step.attempts) attempts" : "")
            HTML.element("span", [.class("began")]) { parts.time(step.beganAt) }
            cell("took", StageText.duration(step.endedAt.timeIntervalSince(step.beganAt)))
            window.bar(
              from: step.beganAt, to: step.endedAt, after: before?.endedAt,
              marks: failures(at: step.sequence))
          }
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "Began \(StageText.time(step.beganAt)) UTC, version \(step.version), claim \(step.fence)"
                + (step.worker.map { ", worker \($0.inOneLine.cut(to: 60))" } ?? ""))
          }
          if let error = step.error {
            whole(error)
          }
          parts.stage(
            StageDifference(step.payload, before: before?.payload, hiding: parts.redaction))
          raw(step.sequence)
        }
      }
    }

    /// When attempts at a stage failed, followed a crash or were refused, by the runner's lines.
    private func failures(at sequence: Int) -> [Date] {
      report.lines.filter { $0.isOfRunner && $0.sequence == sequence }.map(\.loggedAt)
    }

    /// An error in all its lines; a long one scrolls, with the keyboard, too.
    private func whole(_ error: String) -> HTML {
      HTML.element("pre", [.class("error"), HTMLAttribute("tabindex", "0")]) { HTML.text(error) }
    }

    private func cell(_ name: String, _ text: String) -> HTML {
      HTML.element("span", [.class(name)]) { HTML.text(text) }
    }

    /// The links of a stage; a completion has its JSON, and no run can begin at it.
    private func raw(_ sequence: Int, isStage: Bool = true) -> HTML {
      HTML.element("p", [.class("note links")]) {
        parts.link("The JSON", to: parts.address.stage(sequence, of: run.id))
        if isStage, !parts.isReadOnly {
          parts.link("Fork from here", to: parts.address.fork(run.id, from: sequence))
        }
      }
    }
  }
#endif
