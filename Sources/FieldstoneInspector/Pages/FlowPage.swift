#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A flow: the numbers of its runs, the journal's limits for it, and its pauses.
  struct FlowPage {
    let parts: PageParts
    let flow: String
    /// The number of its runs in each state, exact up to 10,000.
    let counts: [RunState: RunCount]
    let limits: LimitStanding?
    /// Its latest runs.
    let runs: [RunRecord]
    /// The result of the last action on it.
    var notice: String?

    /// The maximum number of pauses shown.
    private static let shownPauses = 100

    private var pauses: [JournalPause] { parts.waits.of(flow: flow) }

    var page: InspectorPage {
      InspectorPage(
        title: "Flow \(flow.inOneLine.cut(to: 60))",
        head: .joined([banner, heading]),
        live: .joined([standing, actions, figures, limitFacts, pauseTable, latest]))
    }

    private var banner: HTML {
      guard let notice else { return .empty }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(notice)
      }
    }

    private var heading: HTML {
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") { HTML.text(flow.inOneLine.cut(to: 120)) }
        HTML.element("span", [.class("quiet")]) { HTML.text("flow") }
      }
    }

    private var standing: HTML {
      guard let pause = parts.waits.lasting(.flow(flow), at: parts.now) else { return .empty }
      return HTML.element("p", [.class("standing")]) {
        HTML.element("span", [.class("state paused")]) { HTML.text("paused") }
        HTML.text(" ")
        parts.end(of: pause)
      }
    }

    private var actions: HTML {
      HTML.element("div", [.class("buttons actions")]) {
        parts.link("Its runs", to: parts.address.runs(RunFilter(flow: flow)), class: "button")
        if !parts.isReadOnly {
          let isPaused = parts.waits[.flow(flow)] != nil
          if isPaused {
            parts.link(
              "Resume the flow…", to: parts.address.pausing(.resume, .flow(flow)), class: "button")
          }
          parts.link(
            isPaused ? "Pause it until…" : "Pause the flow…",
            to: parts.address.pausing(.pause, .flow(flow)), class: "button")
        }
      }
    }

    private var figures: HTML {
      HTML.element("ul", [.class("tiles")]) {
        for state in OverviewPage.order {
          let count = counts[state] ?? RunCount(0)
          HTML.element(
            "li", [.class(count.number == 0 ? "\(state.rawValue) none" : state.rawValue)]
          ) {
            HTML.element(
              "a",
              [.address("href", parts.address.runs(RunFilter(flow: flow, states: [state])))]
            ) {
              HTML.element("span", [.class("figure")]) { HTML.text(parts.number(count)) }
              parts.badge(state)
            }
          }
        }
      }
    }

    private var limitFacts: HTML {
      parts.section("Limits") {
        if let standing = limits, standing.limits.effective != FlowLimits() {
          let limits = standing.limits.effective
          HTML.element("dl", [.class("facts wide")]) {
            if let runs = limits.runs {
              fact("In all", isFull: standing.isFull) {
                HTML.text(
                  parts.text(runs, limits.counting, limits.whenStuck)
                    + (parts.places(of: standing).map { "; \($0) taken" } ?? ""))
              }
            }
            if let key = limits.perKey {
              fact("For a key", isFull: !standing.keys.isEmpty) {
                HTML.text(parts.text(key.maximum, key.counting, key.whenStuck))
              }
            }
            if let rate = limits.rate {
              fact("Taken up", isFull: standing.nextToken != nil) {
                HTML.text(parts.text(of: rate))
                if let tokens = parts.tokens(of: standing) {
                  HTML.text("; left are ")
                  tokens
                }
              }
            }
          }
          if !standing.keys.isEmpty { parts.table(ofKeysOf: [standing]) }
        } else {
          HTML.element("p", [.class("nothing")]) {
            HTML.text("The journal keeps no limits for this flow.")
          }
        }
      }
    }

    private func fact(
      _ name: String, isFull: Bool, @HTMLBuilder _ value: () -> HTML
    ) -> HTML {
      let value = value()
      return HTML.element("div") {
        HTML.element("dt") { HTML.text(name) }
        HTML.element("dd") {
          value
          if isFull { parts.fullMark }
        }
      }
    }

    private var pauseTable: HTML {
      let pauses = pauses
      return parts.section("Pauses") {
        if pauses.isEmpty {
          HTML.element("p", [.class("nothing")]) { HTML.text("Nothing of it is paused.") }
        } else {
          parts.table(of: Array(pauses.prefix(Self.shownPauses)), label: "Pauses of the flow")
          if pauses.count > Self.shownPauses {
            HTML.element("p", [.class("note")]) {
              HTML.text("There are \(parts.grouped(pauses.count)) pauses; the first are shown.")
            }
          }
        }
        if !parts.isReadOnly { keyForm }
      }
    }

    /// The form for the concurrency key to pause; the page of the pause asks further.
    private var keyForm: HTML {
      HTML.element(
        "form", [.class("filters key-pause"), .address("action", parts.address.pausing(.pause))]
      ) {
        parts.hidden("flow", flow)
        HTML.element("label") {
          HTML.element("span") { HTML.text("Concurrency key") }
          HTML.element(
            "input",
            [
              HTMLAttribute("name", "key"), HTMLAttribute("required", isOn: true),
              HTMLAttribute("autocomplete", "off"), HTMLAttribute("spellcheck", "false"),
            ])
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Pause this key…") }
        }
      }
    }

    private var latest: HTML {
      parts.section("Latest runs") {
        if runs.isEmpty {
          HTML.element("p", [.class("nothing")]) { HTML.text("It has no runs.") }
        } else {
          parts.table(of: runs, label: "Latest runs of the flow")
        }
      }
    }
  }
#endif
