#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import Foundation

  /// The table of runs, with its filters.
  struct RunsPage {
    let parts: PageParts
    let filter: RunFilter
    let found: RunSearch
    /// What was just done to all of them.
    var done: BulkResult?
    /// The names of flows that the filter suggests.
    let flows: [String]

    var page: InspectorPage {
      InspectorPage(
        title: "Runs",
        head: .joined([
          HTML.element("h1", [.class("unseen")]) { HTML.text("Runs") }, notice, form, actions,
        ]),
        live: .joined([table, pages]))
    }

    private var notice: HTML {
      guard let done else { return .empty }
      return HTML.element("p", [.class("banner"), HTMLAttribute("role", "status")]) {
        HTML.text(
          "\(parts.grouped(done.changed)) runs were changed."
            + (done.skipped > 0
              ? " \(parts.grouped(done.skipped)) had gone on and were left alone." : ""))
      }
    }

    /// The actions on all that the filter finds.
    private var actions: HTML {
      if parts.isReadOnly || found.page.runs.isEmpty { return .empty }
      return HTML.element("div", [.class("buttons tools")]) {
        for action in RunAction.ofMany
        where filter.states.isEmpty || filter.states.contains(where: action.isAllowed) {
          parts.link(
            action == .cancel ? "Cancel all found…" : "Retry all found…",
            to: parts.address.all(action, filter), class: "button")
        }
      }
    }

    private var form: HTML {
      HTML.element(
        "form", [.class("filters"), .address("action", parts.address.runs())]
      ) {
        field("Flow", "flow", filter.flow, list: "flows")
        field("Key", "key", filter.key)
        field("Attribute", "attribute", filter.attribute?.text, example: "customer=ada")
        field("Error contains", "error", filter.error)
        HTML.element("label") {
          HTML.element("span") { HTML.text("Waits for") }
          HTML.element("select", [HTMLAttribute("name", "wait")]) {
            HTML.element("option", [HTMLAttribute("value", "")]) { HTML.text("anything") }
            for kind in WaitKind.allCases {
              HTML.element(
                "option",
                [
                  HTMLAttribute("value", kind.rawValue),
                  HTMLAttribute("selected", isOn: kind == filter.wait),
                ]
              ) { HTML.text(kind.title) }
            }
          }
        }
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

    private func field(
      _ title: String, _ name: String, _ value: String?, list: String? = nil, example: String? = nil
    ) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value ?? ""),
            HTMLAttribute("list", list), HTMLAttribute("placeholder", example),
            HTMLAttribute("autocomplete", "off"),
            HTMLAttribute("spellcheck", "false"),
          ])
      }
    }

    private var table: HTML {
      if found.page.runs.isEmpty {
        return HTML.element("p", [.class("nothing")]) {
          HTML.text(
            found.page.next == nil
              ? "There are no such runs."
              : "None of the \(parts.grouped(found.looked ?? 0)) runs looked through is one of these."
          )
        }
      }
      return parts.table(of: found.page.runs, label: "Runs, the youngest first")
    }

    private var pages: HTML {
      var first = filter
      first.before = nil
      var next = filter
      next.before = found.page.next
      return HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of runs")]) {
        if filter.before != nil {
          parts.link("Newest", to: parts.address.runs(first), class: "button")
        }
        if found.page.next != nil {
          parts.link("Older", to: parts.address.runs(next), class: "button")
        }
        if let looked = found.looked {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "\(parts.grouped(looked)) runs were looked through"
                + (found.page.next == nil ? ", all there are." : "; Older goes on from there."))
          }
        }
      }
    }
  }
#endif
