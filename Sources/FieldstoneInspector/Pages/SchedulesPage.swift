#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The schedules of the journal, with their next and last ticks.
  struct SchedulesPage {
    let parts: PageParts
    let records: [ScheduleRecord]
    /// The result of the last action.
    var notice: String?

    /// The maximum number of schedules shown.
    private static let shown = 500

    var page: InspectorPage {
      InspectorPage(
        title: "Schedules", head: .joined([banner, HTML.element("h1") { HTML.text("Schedules") }]),
        live: records.isEmpty ? empty : .joined([table, note]))
    }

    private var banner: HTML {
      guard let notice else { return .empty }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(notice)
      }
    }

    private var empty: HTML {
      HTML.element("p", [.class("nothing")]) {
        HTML.text("The journal keeps no schedules. An app sets one with ")
        HTML.element("code") { HTML.text("runner.setSchedule") }
        HTML.text(".")
      }
    }

    private var note: HTML {
      guard records.count > Self.shown else { return .empty }
      return HTML.element("p", [.class("note")]) {
        HTML.text("There are \(parts.grouped(records.count)) schedules; the first are shown.")
      }
    }

    private var table: HTML {
      HTML.element(
        "table", [.class("schedules cards"), HTMLAttribute("aria-label", "Schedules")]
      ) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["Schedule", "Flow", "Next", "Last"] + (parts.isReadOnly ? [] : ["Action"])
            {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for record in records.prefix(Self.shown) { row(record) }
        }
      }
    }

    private func row(_ record: ScheduleRecord) -> HTML {
      let read = Result { () throws(ScheduleError) in try ScheduleStatus(record) }
      let status = try? read.get()
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          let name = record.name.inOneLine.cut(to: 80)
          // Without a filter, a link would lead to all runs.
          if let filter = runs(of: record.name) {
            parts.link(name, to: parts.address.runs(filter))
          } else {
            HTML.text(name)
          }
          if let schedule = status?.schedule {
            HTML.element("span", [.class("quiet")]) {
              HTML.text(ScheduleText.timing(schedule.timing))
            }
            HTML.element("span", [.class("quiet")]) {
              HTML.text(ScheduleText.rules(schedule.options))
            }
          }
        }
        switch read {
        case .success(let status):
          HTML.element("td") {
            parts.link(
              status.schedule.flow.inOneLine.cut(to: 60),
              to: parts.address.flow(status.schedule.flow))
          }
          HTML.element("td") { next(status.progress) }
          HTML.element("td") { last(status.progress) }
        case .failure(let error):
          HTML.element("td", [.class("detail error"), HTMLAttribute("colspan", "3")]) {
            HTML.text(error.message.inOneLine.cut(to: 300))
          }
        }
        if !parts.isReadOnly {
          HTML.element("td", [.class("detail")]) { actions(record.name, status?.progress) }
        }
      }
    }

    /// The runs that a schedule has started; nil if no address expresses its name.
    private func runs(of name: String) -> RunFilter? {
      AttributeFilter(ScheduleOptions.scheduleAttribute, .string(name)).map {
        RunFilter(attribute: $0)
      }
    }

    private func next(_ progress: ScheduleProgress) -> HTML {
      let waiting = progress.queuedTicks.count
      return .joined([
        progress.isPaused
          ? HTML.element("span", [.class("state paused")]) { HTML.text("paused") }
          : progress.nextTick.map(parts.time) ?? HTML.text("no more ticks"),
        waiting == 0
          ? .empty
          : HTML.text("; \(parts.grouped(waiting)) wait\(waiting == 1 ? "s" : "") for a run’s end"),
      ])
    }

    private func last(_ progress: ScheduleProgress) -> HTML {
      guard let run = progress.lastRun else { return HTML.text("not run yet") }
      return .joined([
        parts.link("Run \(run)", to: parts.address.run(run)),
        progress.lastTick.map { .joined([HTML.text(", last tick "), parts.time($0)]) } ?? .empty,
      ])
    }

    private func actions(_ name: String, _ progress: ScheduleProgress?) -> HTML {
      // An unreadable schedule can only be removed.
      let actions: [ScheduleAction] =
        progress.map { [.run, $0.isPaused ? .resume : .pause, .remove] } ?? [.remove]
      return HTML.element("div", [.class("buttons")]) {
        for action in actions {
          HTML.element(
            "a",
            [
              .class("button small"), .address("href", parts.address.schedule(action, name)),
              HTMLAttribute("aria-label", "\(action.title) \(name.inOneLine.cut(to: 80))…"),
            ]
          ) { HTML.text(action.title + "…") }
        }
      }
    }
  }

  /// Asks to confirm an action on a schedule.
  struct ScheduleActionPage {
    let parts: PageParts
    let action: ScheduleAction
    let name: String
    /// The identifier of the run to start, so that a form sent again starts no other one.
    var run: RunID?

    var page: InspectorPage {
      let shown = name.inOneLine.cut(to: 200)
      return InspectorPage(
        title: "\(action.title): \(name.inOneLine.cut(to: 80))",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text(action.question(shown)) }
          HTML.element("p", [.class("effect")]) { HTML.text(action.effect) }
          HTML.element(
            "form",
            [
              HTMLAttribute("method", "post"),
              .address("action", parts.address.schedule(action, name)),
            ]
          ) {
            parts.token
            parts.hidden("confirmed", "yes")
            if let run { parts.hidden("run", run.description) }
            HTML.element("div", [.class("buttons")]) {
              HTML.element("button", [HTMLAttribute("type", "submit"), .class("primary")]) {
                HTML.text(action.title)
              }
              parts.link("Back", to: parts.address.schedules(), class: "button")
            }
          }
        })
    }
  }
#endif
