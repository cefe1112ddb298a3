#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The numbers of a journal's runs, and first the runs that need an operator.
  struct OverviewPage {
    let parts: PageParts
    let summary: RunSummary
    /// The announced workers.
    var announced: [WorkerRecord] = []
    /// The first pauses, one more than are counted if there are as many.
    let pauses: [JournalPause]

    /// How far pauses are counted.
    static let countedPauses = 100

    var page: InspectorPage {
      InspectorPage(
        title: "Overview",
        head: HTML.element("h1", [.class("unseen")]) { HTML.text("Overview") },
        live: .joined([
          tiles, charts, flows, stuck, errors, paused, limits, due, ticks, workers, youngest,
        ]))
    }

    /// The order of an operator's interest: problems, then work, then history.
    static let order: [RunState] = [
      .dead, .blocked, .running, .ready, .completed, .cancelled,
    ]

    private var tiles: HTML {
      HTML.element("ul", [.class("tiles")]) {
        for state in Self.order {
          let count = summary.totals[state] ?? RunCount(0)
          HTML.element(
            "li", [.class(count.number == 0 ? "\(state.rawValue) none" : state.rawValue)]
          ) {
            HTML.element("a", [.address("href", parts.address.runs(RunFilter(states: [state])))]) {
              HTML.element("span", [.class("figure")]) { HTML.text(parts.number(count)) }
              parts.badge(state)
            }
          }
        }
      }
    }

    private var charts: HTML {
      if summary.totals.values.allSatisfy({ $0.number == 0 }) { return .empty }
      return HourCharts(parts: parts, hour: summary.hour).html
    }

    private var workers: HTML {
      if announced.isEmpty {
        return parts.table(ofWorkersWith: summary.workers, title: "Workers with runs")
      }
      return section("Workers") {
        parts.table(of: Array(announced.prefix(20)))
        HTML.element("p", [.class("more")]) {
          parts.link(
            announced.count > 20
              ? "All \(parts.grouped(announced.count)) of them" : "Their numbers",
            to: parts.address.workers)
        }
      }
    }

    private var limits: HTML {
      if summary.limits.isEmpty { return .empty }
      return section("Limits that are full") {
        parts.table(of: summary.limits)
        HTML.element("p", [.class("more")]) {
          parts.link("All limits", to: parts.address.limits)
        }
      }
    }

    private var ticks: HTML {
      if summary.ticks.isEmpty { return .empty }
      return section("Next ticks") {
        HTML.element("table", [.class("ticks"), HTMLAttribute("aria-label", "Next ticks")]) {
          HTML.element("thead") {
            HTML.element("tr") {
              for title in ["Schedule", "Flow", "Next"] {
                HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
              }
            }
          }
          HTML.element("tbody") {
            for tick in summary.ticks {
              HTML.element("tr") {
                HTML.element("th", [HTMLAttribute("scope", "row")]) {
                  parts.link(tick.name.inOneLine.cut(to: 60), to: parts.address.schedules())
                }
                HTML.element("td") {
                  parts.link(tick.flow.inOneLine.cut(to: 60), to: parts.address.flow(tick.flow))
                }
                HTML.element("td") { parts.time(tick.date) }
              }
            }
          }
        }
        HTML.element("p", [.class("more")]) {
          parts.link("All schedules", to: parts.address.schedules())
        }
      }
    }

    private var flows: HTML {
      section("Flows") {
        if summary.flows.isEmpty {
          HTML.element("p", [.class("nothing")]) { HTML.text("No run was ever started here.") }
        } else {
          HTML.element(
            "div",
            [
              .class("scroll"), HTMLAttribute("tabindex", "0"), HTMLAttribute("role", "region"),
              HTMLAttribute("aria-label", "Runs by flow and state"),
            ]
          ) { flowTable }
        }
        if !summary.cut.isEmpty {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "A plus stands where only the youngest runs of a state were counted"
                + (hasUncounted ? ", and a question mark where none of these is of the flow." : ".")
            )
          }
        }
      }
    }

    private var shownFlows: ArraySlice<String> {
      summary.flowNames.prefix(RunSummary.flowLimit)
    }

    /// Whether a flow has a question mark: it may have runs in a state, of which none was read.
    private var hasUncounted: Bool {
      shownFlows.contains { flow in
        Self.order.contains { state in
          let count = summary.count(state, of: flow)
          return count.number == 0 && count.isCut
        }
      }
    }

    private var flowTable: HTML {
      HTML.element("table", [.class("flows")]) {
        HTML.element("thead") {
          HTML.element("tr") {
            HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text("Flow") }
            for state in Self.order {
              HTML.element("th", [.class("number"), HTMLAttribute("scope", "col")]) {
                HTML.text(state.rawValue)
              }
            }
          }
        }
        HTML.element("tbody") {
          for flow in shownFlows {
            HTML.element("tr") {
              HTML.element("th", [HTMLAttribute("scope", "row")]) {
                parts.link(flow.inOneLine.cut(to: 60), to: parts.address.flow(flow))
                if parts.waits.lasting(.flow(flow), at: parts.now) != nil {
                  HTML.text(" ")
                  HTML.element("span", [.class("state paused")]) { HTML.text("paused") }
                }
              }
              for state in Self.order { cell(summary.count(state, of: flow), state, flow) }
            }
          }
        }
      }
    }

    private func cell(_ count: RunSummary.Count, _ state: RunState, _ flow: String) -> HTML {
      let address = parts.address.runs(RunFilter(flow: flow, states: [state]))
      return HTML.element("td", [.class("number")]) {
        if count.number > 0 {
          parts.link(parts.number(count), to: address, class: state.rawValue)
        } else {
          HTML.element("span", [.class("quiet")]) { HTML.text(count.isCut ? "?" : "–") }
        }
      }
    }

    private var stuck: HTML {
      if summary.stuck.isEmpty { return .empty }
      return section("Needs attention") {
        parts.table(of: summary.stuck, label: "Dead and blocked runs")
        more(to: RunFilter(states: [.dead, .blocked]))
      }
    }

    private var errors: HTML {
      if summary.errors.isEmpty { return .empty }
      return section("Most frequent errors") {
        HTML.element(
          "table", [.class("errors"), HTMLAttribute("aria-label", "Most frequent errors")]
        ) {
          HTML.element("thead") {
            HTML.element("tr") {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text("For example") }
              HTML.element("th", [.class("number"), HTMLAttribute("scope", "col")]) {
                HTML.text("Runs")
              }
            }
          }
          HTML.element("tbody") {
            for group in summary.errors {
              HTML.element("tr") {
                HTML.element("td") {
                  parts.link(
                    group.sample.inOneLine.cut(to: 160),
                    to: parts.address.runs(RunFilter(fingerprint: group.fingerprint)))
                }
                HTML.element("td", [.class("number")]) { HTML.text(parts.number(group.runs)) }
              }
            }
          }
        }
        HTML.element("p", [.class("note")]) {
          HTML.text("Errors are the same but for numbers, identifiers and quoted parts.")
        }
      }
    }

    private var paused: HTML {
      if pauses.isEmpty { return .empty }
      return section("Paused") {
        parts.table(of: Array(pauses.prefix(8)), label: "Pauses")
        if pauses.count > 8 {
          HTML.element("p", [.class("note")]) {
            let count = RunCount(found: pauses.count, atMost: Self.countedPauses)
            HTML.text("There are \(parts.number(count)) pauses; the first are shown.")
          }
        }
      }
    }

    private var due: HTML {
      if summary.due.isEmpty { return .empty }
      return section("Longest due") {
        parts.table(of: summary.due, label: "Runs that wait longest for a worker")
        HTML.element("p", [.class("note")]) {
          HTML.text(
            summary.isDueExact
              ? "In the order in which workers claim them: a level of priority counts as an hour of "
                + "waiting. Runs behind a pause, a full key or in quarantine are left out."
              : summary.cut.contains(.ready)
                ? "Only the youngest ready runs were read; older ones may have been due longer."
                : "All ready runs were read.")
        }
      }
    }

    private var youngest: HTML {
      if summary.youngest.isEmpty { return .empty }
      return section("Latest runs") {
        parts.table(of: summary.youngest, label: "Latest runs")
        more(to: RunFilter())
      }
    }

    private func more(to filter: RunFilter) -> HTML {
      HTML.element("p", [.class("more")]) {
        parts.link("All of them", to: parts.address.runs(filter))
      }
    }

    private func section(_ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
      let content = content()
      return HTML.element("section") {
        HTML.element("h2") { HTML.text(title) }
        content
      }
    }
  }
#endif
