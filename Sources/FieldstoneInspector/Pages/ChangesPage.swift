#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The changes that were made through the pages, newest first.
  struct ChangesPage {
    static let size = 100

    let parts: PageParts
    let entries: [ChangeRecord.Entry]
    let hasMore: Bool
    let dropped: Int
    let isFirst: Bool
    /// The journal's audit rows; nil without a journal.
    var audit: AuditTable?

    var page: InspectorPage {
      InspectorPage(
        title: "Changes",
        head: HTML.element("div", [.class("heading")]) {
          HTML.element("h1") { HTML.text("Changes") }
          HTML.element("p", [.class("note advice")]) { HTML.text(note) }
        },
        live: .joined([audit?.section ?? .empty, table, pages]))
    }

    private var note: String {
      "Those made through these pages since the process began; it keeps the last "
        + "\(parts.grouped(ChangeRecord.limit)) in memory."
        + (dropped > 0 ? " \(parts.grouped(dropped)) older ones have made room." : "")
    }

    private var table: HTML {
      if entries.isEmpty {
        return HTML.element("p", [.class("nothing")]) {
          HTML.text("Nothing was changed through these pages.")
        }
      }
      return HTML.element(
        "table",
        [.class("changes cards"), HTMLAttribute("aria-label", "Changes, the newest first")]
      ) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["When", "Person", "Change", "Of", "Result"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for entry in entries { row(entry.change) }
        }
      }
    }

    private func row(_ change: InspectorChange) -> HTML {
      HTML.element("tr") {
        HTML.element("td", [.class("at-when")]) { parts.time(change.time) }
        HTML.element("td", [.class(change.person == nil ? "quiet" : "")]) {
          HTML.text(change.person?.inOneLine.cut(to: 60) ?? "not known")
        }
        HTML.element("th", [HTMLAttribute("scope", "row")]) { HTML.text(change.action) }
        HTML.element("td") {
          if let run = change.run {
            parts.link(change.subject.inOneLine.cut(to: 120), to: parts.address.run(run))
          } else {
            HTML.text(change.subject.inOneLine.cut(to: 200))
          }
        }
        HTML.element("td", [.class("result")]) {
          if let refusal = change.refusal {
            HTML.element("span", [.class("error")]) { HTML.text(refusal.inOneLine.cut(to: 300)) }
          } else {
            HTML.text("made")
          }
        }
      }
    }

    private var pages: HTML {
      HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of changes")]) {
        if !isFirst { parts.link("Newest", to: parts.address.changes(), class: "button") }
        if hasMore, let last = entries.last {
          parts.link("Older", to: parts.address.changes(before: last.number), class: "button")
        }
      }
    }
  }
#endif
