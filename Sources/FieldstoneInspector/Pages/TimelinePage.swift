#if INSPECTOR
  import FieldstoneHTML
  import Foundation

  /// All events of the process on one timeline, with filters.
  struct TimelinePage {
    /// The number of events per page.
    static let size = 200

    let parts: PageParts
    let filter: TimelineFilter
    let snapshot: TimelineRecord.Snapshot

    /// The entries that pass the filter, newest first, plus one if there are more.
    private var taken: [TimelineEntry] {
      Array(snapshot.entries.reversed().lazy.filter(filter.takes).prefix(Self.size + 1))
    }

    var page: InspectorPage {
      let taken = taken
      return InspectorPage(
        title: "Timeline",
        head: .joined([
          HTML.element("h1", [.class("unseen")]) { HTML.text("Timeline") }, form,
        ]),
        live: .joined([
          tools, notice,
          parts.events(Array(taken.prefix(Self.size)), label: "Events, the newest first"),
          pages(hasMore: taken.count > Self.size, last: taken.prefix(Self.size).last),
        ]))
    }

    private var form: HTML {
      HTML.element("form", [.class("filters"), .address("action", parts.address.timeline())]) {
        field("Text", "text", filter.text)
        field("Follow", "of", filter.identity)
        field("From", "from", filter.source)
        HTML.element("fieldset") {
          HTML.element("legend", [.class("unseen")]) { HTML.text("Kinds") }
          for kind in TimelineEntry.Kind.allCases {
            HTML.element("label", [.class("choice")]) {
              HTML.element(
                "input",
                [
                  HTMLAttribute("type", "checkbox"), HTMLAttribute("name", "kind"),
                  HTMLAttribute("value", kind.rawValue),
                  HTMLAttribute("checked", isOn: filter.kinds.contains(kind)),
                ])
              HTML.element("span") { HTML.text(kind.rawValue) }
            }
          }
        }
        HTML.element("div", [.class("buttons")]) {
          HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Filter") }
          if !filter.pairs.isEmpty {
            parts.link("Clear filters", to: parts.address.timeline(), class: "button")
          }
        }
      }
    }

    private func field(_ title: String, _ name: String, _ value: String?) -> HTML {
      HTML.element("label") {
        HTML.element("span") { HTML.text(title) }
        HTML.element(
          "input",
          [
            HTMLAttribute("name", name), HTMLAttribute("value", value ?? ""),
            HTMLAttribute("autocomplete", "off"), HTMLAttribute("spellcheck", "false"),
          ])
      }
    }

    private var tools: HTML {
      HTML.element("div", [.class("buttons tools")]) {
        if !parts.isReadOnly {
          button(snapshot.isPaused ? "Resume" : "Pause", snapshot.isPaused ? "resume" : "pause")
          button("Empty the record", "clear")
        }
        parts.link("Export", to: parts.address.timelineFile(filter), class: "button")
      }
    }

    private func button(_ title: String, _ name: String) -> HTML {
      HTML.element(
        "form",
        [HTMLAttribute("method", "post"), .address("action", parts.address.timelineAction(name))]
      ) {
        parts.token
        HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text(title) }
      }
    }

    private var notice: HTML {
      var sentences: [String] = []
      if snapshot.isPaused { sentences.append("The record is paused.") }
      if snapshot.missed > 0 {
        sentences.append("\(parts.grouped(snapshot.missed)) events came while it was paused.")
      }
      if snapshot.dropped > 0 {
        sentences.append("\(parts.grouped(snapshot.dropped)) older events made room.")
      }
      if sentences.isEmpty { return .empty }
      return HTML.element("p", [.class("note")]) { HTML.text(sentences.joined(separator: " ")) }
    }

    private func pages(hasMore: Bool, last: TimelineEntry?) -> HTML {
      var newest = filter
      newest.before = nil
      var older = filter
      older.before = last?.number
      return HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of events")])
      {
        if filter.before != nil {
          parts.link("Newest", to: parts.address.timeline(newest), class: "button")
        }
        if hasMore { parts.link("Older", to: parts.address.timeline(older), class: "button") }
      }
    }
  }
#endif
