#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The watched objects of the process, and its last events.
  struct WatchedPage {
    /// A watched object with its current state.
    struct Item {
      var object: WatchedObject
      /// Nil once the object is deallocated.
      var headline: WatchedHeadline?
      var force: ForcedLoad?
    }

    let parts: PageParts
    let title: String
    let items: [Item]
    /// The events, newest first.
    let events: [TimelineEntry]

    var page: InspectorPage {
      InspectorPage(
        title: title,
        head: HTML.element("h1", [.class("unseen")]) { HTML.text(title) },
        live: .joined([objects, timeline]))
    }

    private var objects: HTML {
      section("Watched objects") {
        if items.isEmpty {
          HTML.element("p", [.class("nothing")]) {
            HTML.text("Nothing is watched yet: call inspector.watch(_:as:) in the process.")
          }
        } else {
          HTML.element(
            "table", [.class("objects cards"), HTMLAttribute("aria-label", "Watched objects")]
          ) {
            HTML.element("thead") {
              HTML.element("tr") {
                for title in ["State", "Name", "Kind", "Detail"] {
                  HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
                }
              }
            }
            HTML.element("tbody") {
              for item in items { row(item) }
            }
          }
        }
      }
    }

    private func row(_ item: Item) -> HTML {
      HTML.element("tr") {
        HTML.element("td", [.class("at-phase")]) { parts.phase(item.headline) }
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          parts.link(
            item.object.name.inOneLine.cut(to: 80), to: parts.address.object(item.object.id))
        }
        HTML.element("td", [.class("quiet")]) { HTML.text(item.object.word) }
        HTML.element("td", [.class("detail")]) {
          if let force = item.force, force != .none {
            HTML.element("span", [.class("forced")]) { HTML.text("forced: \(force.rawValue)") }
            HTML.text(" ")
          }
          HTML.text(item.headline?.detail?.inOneLine.cut(to: 200) ?? "")
        }
      }
    }

    private var timeline: HTML {
      section("Last events") {
        parts.events(events, label: "Last events")
        if !events.isEmpty {
          HTML.element("p", [.class("more")]) {
            parts.link("The whole timeline", to: parts.address.timeline())
          }
        }
      }
    }

    private func section(_ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
      parts.section(title, content)
    }
  }
#endif
