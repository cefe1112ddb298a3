#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension PageParts {
    /// A section of a page with a title.
    func section(_ title: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
      let content = content()
      return HTML.element("section") {
        HTML.element("h2") { HTML.text(title) }
        content
      }
    }

    /// The form token as a hidden field.
    var token: HTML {
      HTML.element(
        "input",
        [
          HTMLAttribute("type", "hidden"), HTMLAttribute("name", "form-token"),
          HTMLAttribute("value", formToken),
        ])
    }

    /// The state of a watched object as a badge.
    func phase(_ headline: WatchedHeadline?) -> HTML {
      HTML.element("span", [.class("state tone-\(headline?.tone.rawValue ?? "stopped")")]) {
        HTML.text(headline?.phase.inOneLine.cut(to: 40) ?? "released")
      }
    }

    /// Events of the timeline, newest first.
    func events(_ entries: [TimelineEntry], label: String) -> HTML {
      if entries.isEmpty {
        return HTML.element("p", [.class("nothing")]) { HTML.text("No events yet.") }
      }
      return HTML.element("table", [.class("events cards"), HTMLAttribute("aria-label", label)]) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["Time", "Of", "Event", "Detail"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for entry in entries { row(entry) }
        }
      }
    }

    private func row(_ entry: TimelineEntry) -> HTML {
      HTML.element("tr", [.id("event-\(entry.number)")]) {
        HTML.element("td", [.class("at-time")]) {
          HTML.element("time", [HTMLAttribute("datetime", entry.time.formatted(.iso8601))]) {
            HTML.text(Self.clock(entry.time))
          }
        }
        HTML.element("td", [.class("at-source")]) {
          link(entry.identity.inOneLine.cut(to: 80), to: address.timeline(following(entry)))
          kind(of: entry)
        }
        HTML.element("td", [.class("at-event")]) {
          HTML.element("span", [.class("event tone-\(entry.tone.rawValue)")]) {
            HTML.text(entry.text.inOneLine.cut(to: 120))
          }
        }
        HTML.element("td", [.class("detail")]) {
          HTML.text(entry.detail?.inOneLine.cut(to: 300) ?? "")
        }
      }
    }

    /// The kind of an event; of a run's, a link to the run.
    private func kind(of entry: TimelineEntry) -> HTML {
      let word = entry.kind.rawValue
      guard hasRuns, entry.kind == .run, let run = RunID(entry.identity) else {
        return HTML.element("span", [.class("quiet")]) { HTML.text(word) }
      }
      return HTML.element(
        "a",
        [
          .class("quiet"), .address("href", address.run(run)),
          HTMLAttribute("aria-label", "\(word) \(run)"),
        ]
      ) { HTML.text(word) }
    }

    private func following(_ entry: TimelineEntry) -> TimelineFilter {
      var filter = TimelineFilter()
      filter.identity = entry.identity
      return filter
    }

    /// The time of day in UTC, to the millisecond.
    static func clock(_ date: Date) -> String {
      let time = StageText.time(date).split(separator: " ").last.map(String.init) ?? ""
      let part = date.timeIntervalSince1970
      let milliseconds = Int(((part - part.rounded(.down)) * 1_000).rounded(.down))
      let digits = "\(min(max(milliseconds, 0), 999))"
      return time + "." + String(repeating: "0", count: 3 - digits.count) + digits
    }
  }
#endif
