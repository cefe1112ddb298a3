#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The journal's audit log of all processes, newest first.
  struct AuditTable {
    let parts: PageParts
    let isFirst: Bool
    let page: AuditPage

    var section: HTML {
      HTML.joined([
        HTML.element("h2") { HTML.text("Kept in the journal") }, rows, pages,
        HTML.element("h2") { HTML.text("Through these pages") },
      ])
    }

    private var rows: HTML {
      if page.records.isEmpty {
        return HTML.element("p", [.class("nothing")]) {
          HTML.text("The journal has no changes by persons or programs.")
        }
      }
      return HTML.element(
        "table",
        [.class("changes cards"), HTMLAttribute("aria-label", "Changes that the journal keeps")]
      ) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["When", "Who", "Change", "Of", "Before", "After"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for record in page.records { row(record) }
        }
      }
    }

    private func row(_ record: AuditRecord) -> HTML {
      HTML.element("tr") {
        HTML.element("td", [.class("at-when")]) { parts.time(record.date) }
        HTML.element("td", [.class(record.actor == nil ? "quiet" : "")]) {
          HTML.text(record.actor?.inOneLine.cut(to: 60) ?? "not known")
        }
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          HTML.text(record.action.rawValue.inOneLine.cut(to: 40))
        }
        HTML.element("td") { subject(record.subject) }
        for value in [record.before, record.after] {
          HTML.element("td") {
            if let value {
              parts.code(
                StageText.text(of: parts.redaction.redactedAudit(value)).inOneLine.cut(to: 160))
            } else {
              HTML.text("nothing")
            }
          }
        }
      }
    }

    private func subject(_ subject: AuditSubject) -> HTML {
      switch subject {
      case .run(let id): parts.link("\(id)", to: parts.address.run(id))
      case .flow(let name): HTML.text("the flow “\(name.inOneLine.cut(to: 60))”")
      case .concurrencyKey(let key, let flow):
        HTML.text(
          "the key “\(key.inOneLine.cut(to: 60))” of the flow “\(flow.inOneLine.cut(to: 60))”")
      case .schedule(let name): HTML.text("the schedule “\(name.inOneLine.cut(to: 60))”")
      }
    }

    private var pages: HTML {
      HTML.element(
        "nav",
        [.class("pages"), HTMLAttribute("aria-label", "Pages of the journal's changes")]
      ) {
        if !isFirst { parts.link("Newest rows", to: parts.address.changes(), class: "button") }
        if let next = page.next {
          parts.link("Older rows", to: parts.address.changes(row: next), class: "button")
        }
      }
    }
  }
#endif
