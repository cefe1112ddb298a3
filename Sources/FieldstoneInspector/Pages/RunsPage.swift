#if Inspector
  import FieldstoneDurable
  import FieldstoneHTML
  import Foundation

  /// The table of runs, with its filters.
  struct RunsPage {
    let parts: PageParts
    let filter: RunFilter
    let runs: RunPage
    /// The names of flows that the filter suggests.
    let flows: [String]

    var page: InspectorPage {
      InspectorPage(
        title: "Runs",
        head: .joined([HTML.element("h1", [.class("unseen")]) { HTML.text("Runs") }, form]),
        live: .joined([table, pages]))
    }

    private var form: HTML {
      HTML.element(
        "form", [.class("filters"), .address("action", parts.address.runs())]
      ) {
        field("Flow", "flow", filter.flow, list: "flows")
        field("Key", "key", filter.key)
        HTML.element("label") {
          HTML.element("span") { HTML.text("Since") }
          HTML.element(
            "input",
            [
              HTMLAttribute("name", "since"), HTMLAttribute("type", "date"),
              HTMLAttribute("value", filter.since ?? ""),
            ])
        }
        HTML.element("fieldset") {
          HTML.element("legend", [.class("unseen")]) { HTML.text("States") }
          for state in RunState.allCases {
            HTML.element("label", [.class("choice")]) {
              HTML.element(
                "input",
                [
                  HTMLAttribute("type", "checkbox"), HTMLAttribute("name", "state"),
                  HTMLAttribute("value", state.rawValue),
                  HTMLAttribute("checked", isOn: filter.states.contains(state)),
                ])
              parts.badge(state)
            }
          }
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Filter") }
          if !filter.pairs.isEmpty {
            parts.link("Clear", to: parts.address.runs(), class: "button")
          }
        }
        HTML.element("datalist", [.id("flows")]) {
          for flow in flows.prefix(200) {
            HTML.element("option", [HTMLAttribute("value", flow)])
          }
        }
      }
    }

    private func field(_ title: String, _ name: String, _ value: String?, list: String? = nil)
      -> HTML
    {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value ?? ""),
            HTMLAttribute("list", list), HTMLAttribute("autocomplete", "off"),
            HTMLAttribute("spellcheck", "false"),
          ])
      }
    }

    private var table: HTML {
      if runs.runs.isEmpty {
        return HTML.element("p", [.class("nothing")]) { HTML.text("There are no such runs.") }
      }
      return parts.table(of: runs.runs, label: "Runs, the youngest first")
    }

    private var pages: HTML {
      var first = filter
      first.before = nil
      var next = filter
      next.before = runs.next
      return HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of runs")]) {
        if filter.before != nil {
          parts.link("Newest", to: parts.address.runs(first), class: "button")
        }
        if runs.next != nil { parts.link("Older", to: parts.address.runs(next), class: "button") }
      }
    }
  }
#endif
