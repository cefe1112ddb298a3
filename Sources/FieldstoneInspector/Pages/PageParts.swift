#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A page, with a static and a live part.
  struct InspectorPage {
    var title: String
    /// The static part at the top; it is not refreshed, so forms keep their input.
    var head = HTML.empty
    /// The part that the script refreshes.
    var live = HTML.empty
    var status = 200
  }

  /// The elements that several pages share.
  struct PageParts {
    let address: PageAddress
    var now: Date
    let isReadOnly: Bool
    /// Whether there is a journal, with pages of runs.
    var hasRuns = true
    /// Whether there are pages of watched objects and a timeline.
    var hasObjects = false
    /// The secret in every form.
    var formToken = ""
    /// Whether this process has the code of flows.
    var hasFlows = false
    /// The names of JSON members whose values are shown as dots.
    var redaction = RedactionRule(names: RedactionRule.secrets)
    /// What holds back the runs of the journal, for pages of runs.
    var waits = WaitReasons()

    func link(_ text: String, to address: String, class name: String? = nil) -> HTML {
      HTML.element("a", [HTMLAttribute("class", name), .address("href", address)]) {
        HTML.text(text)
      }
    }

    func badge(_ state: RunState) -> HTML {
      HTML.element("span", [.class("state \(state.rawValue)")]) { HTML.text(state.rawValue) }
    }

    /// A time as its distance from now; the full time is its title.
    func time(_ date: Date) -> HTML {
      guard date != .distantFuture, date != .distantPast else { return HTML.text("never") }
      let seconds = now.timeIntervalSince(date)
      let distance = StageText.duration(abs(seconds))
      return element(
        abs(seconds) < 1 ? "now" : seconds > 0 ? "\(distance) ago" : "in \(distance)", of: date)
    }

    /// The time since a date.
    func span(since date: Date) -> HTML {
      element(StageText.duration(now.timeIntervalSince(date)), of: date)
    }

    /// A text about a time, with the time itself as its title.
    private func element(_ text: String, of date: Date) -> HTML {
      // A journal keeps what it is given, and what is no number can't be formatted.
      guard date.timeIntervalSinceReferenceDate.isFinite else { return HTML.text("never") }
      return HTML.element(
        "time",
        [
          HTMLAttribute("datetime", date.formatted(.iso8601)),
          HTMLAttribute("title", StageText.time(date) + " UTC"),
        ]
      ) { HTML.text(text) }
    }

    /// A time in UTC, with its distance from now.
    func wholeTime(_ date: Date) -> HTML {
      .joined([
        HTML.element("span", [.class("clock")]) { HTML.text(StageText.time(date) + " UTC") },
        HTML.text(" ("), time(date), HTML.text(")"),
      ])
    }

    func number(_ count: RunSummary.Count) -> String {
      grouped(count.number) + (count.isCut ? "+" : "")
    }

    func number(_ count: RunCount) -> String {
      grouped(count.number) + (count.hasMore ? "+" : "")
    }

    func grouped(_ number: Int) -> String {
      var digits = Array(String(number.magnitude))
      var place = digits.count - 3
      while place > 0 {
        digits.insert(",", at: place)
        place -= 3
      }
      return (number < 0 ? "−" : "") + String(digits)
    }

    /// The state of a run and its next event, as a sentence.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - standing: more than its record, if it is known.
    func standing(of run: RunRecord, _ standing: RunStanding? = nil) -> HTML {
      switch run.state {
      case .running:
        return .joined([
          HTML.text("Worker "), code(run.worker ?? "without a name"),
          HTML.text(" has had it for "), span(since: run.changedAt), HTML.text("."),
        ])
      case .ready:
        return waiting(standing ?? RunStanding(record: run))
      case .completed:
        return .joined([HTML.text("Completed "), time(run.changedAt), HTML.text(".")])
      case .dead:
        return HTML.text("Its attempts are used up. Retry it, or edit its stage.")
      case .blocked:
        return HTML.text(
          "The code can't read its stage. A runner with newer code frees it; or edit its stage.")
      case .cancelled:
        return .joined([HTML.text("Called off "), time(run.changedAt), HTML.text(".")])
      }
    }

    func code(_ text: String) -> HTML {
      HTML.element("code") { HTML.text(text.inOneLine.cut(to: 120)) }
    }

    /// The lines of a stage, with the differences from the previous stage.
    func stage(_ difference: StageDifference) -> HTML {
      HTML.joined([
        HTML.element("pre", [.class("json"), HTMLAttribute("tabindex", "0")]) {
          for (change, line) in difference.lines {
            switch change {
            case .same: HTML.element("span") { text(of: line, mark: " ") }
            case .added: HTML.element("ins") { text(of: line, mark: "+") }
            case .removed: HTML.element("del") { text(of: line, mark: "−") }
            case .omitted: HTML.element("span", [.class("quiet")]) { text(of: line, mark: " ") }
            }
          }
        },
        difference.isCut
          ? HTML.element("p", [.class("note")]) { HTML.text("Only a part is shown.") }
          : .empty,
      ])
    }

    private func text(of line: JSONLine, mark: String) -> HTML {
      HTML.joined([
        HTML.text(mark + " " + String(repeating: "  ", count: line.indent)),
        line.key.isEmpty
          ? .empty : HTML.element("b") { HTML.text(line.key + ": ") },
        HTML.text(line.value + (line.hasComma ? ",\n" : "\n")),
      ])
    }
  }
#endif
