#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension PageParts {
    /// The reason why a ready run waits, in sentences.
    func waiting(_ standing: RunStanding) -> HTML {
      let reason = waits.reason(for: standing, at: now)
      switch reason {
      case .noWorker:
        return .joined([unserved(standing), HTML.text(" No live worker has its flow.")])
      case .newerVersion(let found, let known):
        return .joined([
          unserved(standing),
          HTML.text(
            " It was written by version \(found) of its flow, and the workers have \(known)."),
        ])
      default: return sentence(standing.record, reason)
      }
    }

    /// Since when a run is due that no worker can take, or what it waits for; of a signal that has
    /// arrived its record does not know.
    private func unserved(_ standing: RunStanding) -> HTML {
      let reason = waits.reason(for: standing, at: now, isServed: true)
      if case .due = reason { return sentence(standing.record, reason) }
      return sentence(standing.record)
    }

    /// The reason why a ready run waits, whatever flows the workers have.
    private func sentence(_ run: RunRecord, _ reason: RunWaitReason) -> HTML {
      switch reason {
      case .paused(let pause):
        let subject =
          switch pause.target {
          case .flow: HTML.text("Its flow is paused ")
          case .concurrencyKey(let key, flow: _):
            HTML.joined([HTML.text("Its key "), code(key), HTML.text(" is paused ")])
          case .run: HTML.text("It is paused ")
          }
        return .joined([subject, end(of: pause)])
      case .children(let open, let until):
        return .joined([
          HTML.text("Waits for \(grouped(open)) of its children"),
          until.map { .joined([HTML.text("; times out "), time($0)]) } ?? .empty, HTML.text("."),
        ])
      case .quarantine(let crashes):
        return HTML.text(
          "Its workers have died \(grouped(crashes)) times at this stage, so it is tried apart from "
            + "others.")
      case .flowLimit(let maximum, _, let holders) where holders.isEmpty:
        return HTML.text(
          "Its flow is limited to \(grouped(maximum)) runs at a time, and all places are taken.")
      case .keyLimit(let key, let maximum, let holders) where holders.isEmpty:
        return .joined([
          HTML.text("Its key "), code(key),
          HTML.text(" is limited to \(grouped(maximum)) at a time, and all places are taken."),
        ])
      case .flowLimit, .keyLimit, .rate: return HTML.text(reason.message)
      // Before its time-out, only a signal makes it due.
      case .due where !run.awaitedSignals.isEmpty && run.attempts == 0 && (run.dueAt ?? now) > now:
        return .joined([
          HTML.text(run.awaitedSignals.count > 1 ? "One of the signals " : "The signal "),
          alternatives(run.awaitedSignals),
          HTML.text(" has arrived; a worker that has room gets it next."),
        ])
      default: return sentence(run)
      }
    }

    /// The reason why a run waits, derived from its record alone.
    private func sentence(_ run: RunRecord) -> HTML {
      guard let due = run.dueAt else {
        return .joined([HTML.text("Due for "), span(since: run.changedAt), HTML.text(".")])
      }
      if !run.awaitedSignals.isEmpty, run.attempts == 0 {
        let name = HTML.joined([
          HTML.text("Waits for the signal "), alternatives(run.awaitedSignals),
        ])
        if due == .distantFuture { return .joined([name, HTML.text(", without a time-out.")]) }
        return .joined([
          name, HTML.text(due > now ? "; times out " : "; timed out "), time(due), HTML.text("."),
        ])
      }
      if due <= now { return .joined([HTML.text("Due for "), span(since: due), HTML.text(".")]) }
      return .joined([
        HTML.text(run.attempts > 0 ? "Next attempt " : "Waits; due "), time(due), HTML.text("."),
      ])
    }

    /// Names in code, of which one is enough.
    func alternatives(_ names: [String]) -> HTML {
      .joined(
        names.enumerated().flatMap { index, name in
          [HTML.text(index == 0 ? "" : index == names.count - 1 ? " or " : ", "), code(name)]
        })
    }

    /// The time at which a pause ends, as the end of a sentence.
    func end(of pause: JournalPause) -> HTML {
      guard let until = pause.until else { return HTML.text("until somebody resumes it.") }
      if until <= now { return HTML.text("no longer: its time is over.") }
      return .joined([HTML.text("until "), wholeTime(until), HTML.text(".")])
    }

    /// The action that makes a run continue; nil if there is none.
    func advice(_ reason: RunWaitReason) -> String? {
      switch reason {
      case .due: "A worker that has its flow claims it when it has room; if none does, start one."
      case .paused: "Resume that to let it go on."
      case .time, .retry: "Retry it to let it go on at once."
      case .signals(let names, _):
        "Send \(names.count > 1 ? "one of the signals" : "the signal"), or retry it to let it go on without."
      case .children: "Look at its children, or retry it to let it go on without them."
      case .quarantine:
        "Mend what ends its workers, or retry it to let it go on among the others."
      case .noWorker(let flow): "Start a worker that has the flow “\(flow.inOneLine.cut(to: 60))”."
      case .newerVersion(let found, _):
        "Start a worker that has version \(found) of the flow, or a newer one."
      case .running, .blocked, .over, .flowLimit, .keyLimit, .rate: nil
      }
    }

    /// A hidden field of a form.
    func hidden(_ name: String, _ value: String) -> HTML {
      HTML.element(
        "input",
        [
          HTMLAttribute("type", "hidden"), HTMLAttribute("name", name),
          HTMLAttribute("value", value),
        ])
    }

    /// A table of pauses.
    func table(of pauses: [JournalPause], label: String) -> HTML {
      HTML.element("table", [.class("pauses cards"), HTMLAttribute("aria-label", label)]) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in isReadOnly ? ["Paused", "Until"] : ["Paused", "Until", "Action"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for pause in pauses { row(pause) }
        }
      }
    }

    private func row(_ pause: JournalPause) -> HTML {
      HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          switch pause.target {
          case .flow(let name): link("Flow \(name.inOneLine.cut(to: 60))", to: address.flow(name))
          case .concurrencyKey(let key, let flow):
            HTML.text("Key ")
            code(key)
            HTML.text(" of ")
            link(flow.inOneLine.cut(to: 60), to: address.flow(flow))
          case .run(let id): link("Run \(id)", to: address.run(id))
          }
        }
        HTML.element("td", [.class("detail")]) {
          if let until = pause.until {
            wholeTime(until)
            if until <= now { HTML.text(", so it has ended") }
          } else {
            HTML.text("somebody resumes it")
          }
        }
        if !isReadOnly {
          HTML.element("td") {
            link("Resume…", to: address.pausing(.resume, pause.target), class: "button small")
          }
        }
      }
    }
  }
#endif
