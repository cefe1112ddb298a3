#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// A watched object: its state, its tables and values, its events, and its actions.
  struct WatchedObjectPage {
    let parts: PageParts
    let object: WatchedObject
    /// Nil once the object is deallocated.
    let state: WatchedState?
    let force: ForceSwitch?
    /// The events, newest first.
    let events: [TimelineEntry]
    /// The actions that are possible now.
    var possible: Set<WatchedAction> = []

    var page: InspectorPage {
      InspectorPage(
        title: object.name.inOneLine.cut(to: 60), head: heading,
        // The script keeps a choice that is half made.
        live: .joined([standing, actions, forceForm, facts, tables, values, timeline]))
    }

    private var heading: HTML {
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") { HTML.text(object.name.inOneLine.cut(to: 120)) }
        HTML.element("span", [.class("quiet")]) { HTML.text(object.word) }
      }
    }

    private var standing: HTML {
      HTML.element("p", [.class("standing")]) {
        parts.phase(state?.headline)
        HTML.text(" ")
        HTML.text(
          state == nil
            ? "The \(object.word) is released." : state?.headline.detail?.inOneLine ?? "")
      }
    }

    private var actions: HTML {
      if parts.isReadOnly || state == nil || possible.isEmpty { return .empty }
      return HTML.element("div", [.class("buttons actions")]) {
        for action in WatchedAction.allCases where possible.contains(action) {
          HTML.element(
            "form",
            [
              HTMLAttribute("method", "post"),
              .address("action", parts.address.action(action, on: object.id)),
            ]
          ) {
            parts.token
            HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text(action.title) }
          }
        }
      }
    }

    private var forceForm: HTML {
      guard let force, !parts.isReadOnly, state != nil else { return .empty }
      let (load, delay) = (force.load, force.delay)
      return HTML.element(
        "form",
        [
          .class("force"), HTMLAttribute("method", "post"),
          .address("action", parts.address.force(object.id)),
        ]
      ) {
        parts.token
        HTML.element("fieldset") {
          HTML.element("legend") { HTML.text("Force its loads") }
          for choice in force.choices {
            HTML.element("label", [.class("choice")]) {
              HTML.element(
                "input",
                [
                  HTMLAttribute("type", "radio"), HTMLAttribute("name", "load"),
                  HTMLAttribute("value", choice.rawValue),
                  HTMLAttribute("checked", isOn: choice == load),
                ])
              HTML.element("span") { HTML.text(choice.title) }
            }
          }
          HTML.element("label", [.class("choice")]) {
            HTML.element(
              "input",
              [
                HTMLAttribute("type", "number"), HTMLAttribute("name", "seconds"),
                HTMLAttribute("min", "0"), HTMLAttribute("max", "600"),
                HTMLAttribute("value", "\(delay.components.seconds)"),
              ])
            HTML.element("span") { HTML.text("seconds, where it is slow") }
          }
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Force") }
        }
      }
    }

    private var facts: HTML {
      guard let state, !state.facts.isEmpty else { return .empty }
      return HTML.element("dl", [.class("facts")]) {
        for fact in state.facts {
          HTML.element("div") {
            HTML.element("dt") { HTML.text(fact.name) }
            HTML.element("dd") { HTML.text(fact.text) }
          }
        }
      }
    }

    private var tables: HTML {
      .joined((state?.tables ?? []).map(table))
    }

    private func table(_ table: WatchedState.Table) -> HTML {
      parts.section(table.title) {
        if table.rows.isEmpty {
          HTML.element("p", [.class("nothing")]) { HTML.text("None.") }
        } else {
          HTML.element(
            "div",
            [
              .class("scroll"), HTMLAttribute("tabindex", "0"), HTMLAttribute("role", "region"),
              HTMLAttribute("aria-label", table.title),
            ]
          ) {
            HTML.element("table", [.class("rows")]) {
              HTML.element("thead") {
                HTML.element("tr") {
                  for column in table.columns {
                    HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(column) }
                  }
                  if !parts.isReadOnly, !table.calls.isEmpty {
                    HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text("Action") }
                  }
                }
              }
              HTML.element("tbody") {
                for (index, row) in table.rows.enumerated() {
                  HTML.element("tr") {
                    for (place, cell) in row.enumerated() {
                      HTML.element("td") {
                        if place == 0, parts.hasRuns, index < table.runs.count {
                          parts.link(cell, to: parts.address.run(table.runs[index]), class: "id")
                        } else {
                          HTML.text(cell)
                        }
                      }
                    }
                    if !parts.isReadOnly, index < table.calls.count {
                      HTML.element("td") { cancelForm(table.calls[index]) }
                    }
                  }
                }
              }
            }
          }
          if let note = table.note { HTML.element("p", [.class("note")]) { HTML.text(note) } }
          if !table.parts.isEmpty {
            HTML.element("p", [.class("more")]) {
              for part in table.parts {
                parts.link(part.title, to: parts.address.object(object.id, from: part.from))
                HTML.text(" ")
              }
            }
          }
        }
      }
    }

    /// A button that cancels one call.
    private func cancelForm(_ call: Int) -> HTML {
      HTML.element(
        "form",
        [
          HTMLAttribute("method", "post"),
          .address("action", parts.address.action(.cancel, on: object.id)),
        ]
      ) {
        parts.token
        HTML.element(
          "input",
          [
            HTMLAttribute("type", "hidden"), HTMLAttribute("name", "call"),
            HTMLAttribute("value", "\(call)"),
          ])
        HTML.element(
          "button",
          [HTMLAttribute("type", "submit"), HTMLAttribute("aria-label", "Cancel call \(call)")]
        ) { HTML.text("Cancel") }
      }
    }

    private var values: HTML {
      .joined(
        (state?.values ?? []).map { value in
          parts.section(value.title) {
            HTML.element("pre", [.class("json"), HTMLAttribute("tabindex", "0")]) {
              HTML.text(value.text)
            }
          }
        })
    }

    private var timeline: HTML {
      parts.section("Events") {
        parts.events(events, label: "Events of \(object.name)")
        if !events.isEmpty {
          HTML.element("p", [.class("more")]) {
            parts.link("All of them", to: parts.address.timeline(filter))
          }
        }
      }
    }

    private var filter: TimelineFilter {
      var filter = TimelineFilter()
      // A runner's events have the names of its flows.
      if object.flows.isEmpty { filter.source = object.name } else { filter.kinds = [object.kind] }
      return filter
    }
  }
#endif
