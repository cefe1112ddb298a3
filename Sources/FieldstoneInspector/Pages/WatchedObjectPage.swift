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

    var page: InspectorPage {
      InspectorPage(
        title: object.name.inOneLine.cut(to: 60), head: .joined([heading, actions, forceForm]),
        live: .joined([standing, facts, tables, values, timeline]))
    }

    private var heading: HTML {
      HTML.element("div", [.class("heading")]) {
        HTML.element("h1") { HTML.text(object.name.inOneLine.cut(to: 120)) }
        HTML.element("span", [.class("quiet")]) { HTML.text(object.kind.rawValue) }
      }
    }

    private var standing: HTML {
      HTML.element("p", [.class("standing")]) {
        parts.phase(state?.headline)
        HTML.text(" ")
        HTML.text(
          state == nil
            ? "The \(object.kind.rawValue) is released." : state?.headline.detail?.inOneLine ?? "")
      }
    }

    private var actions: HTML {
      if parts.isReadOnly || state == nil || object.actions.isEmpty { return .empty }
      return HTML.element("div", [.class("buttons actions")]) {
        for action in WatchedAction.allCases where object.actions[action] != nil {
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
                }
              }
              HTML.element("tbody") {
                for row in table.rows {
                  HTML.element("tr") {
                    for cell in row { HTML.element("td") { HTML.text(cell) } }
                  }
                }
              }
            }
          }
          if let note = table.note { HTML.element("p", [.class("note")]) { HTML.text(note) } }
        }
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
      filter.source = object.name
      return filter
    }
  }
#endif
