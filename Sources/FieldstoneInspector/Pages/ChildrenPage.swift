#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay

  /// A page of the children of a run.
  struct ChildrenPage {
    /// The number of children per page, and on the page of the run.
    static let (size, fewSize) = (50, 10)

    let parts: PageParts
    let run: RunRecord
    let children: ChildPage
    /// Whether the page begins with the first child.
    let isFirst: Bool

    var page: InspectorPage {
      InspectorPage(
        title: "Children",
        head: HTML.element("div", [.class("heading")]) {
          HTML.element("h1") { HTML.text("Children") }
          HTML.element("p", [.class("standing")]) {
            parts.badge(run.state)
            HTML.text(" ")
            parts.link(run.title(to: 120), to: parts.address.run(run.id))
            HTML.text(" of \(run.flow.inOneLine.cut(to: 60))")
          }
        },
        live: .joined([table, pages]))
    }

    private var table: HTML {
      if children.children.isEmpty {
        return HTML.element("p", [.class("nothing")]) { HTML.text("It has no such children.") }
      }
      return parts.table(of: children.children, label: "Children, in the order of their starts")
    }

    private var pages: HTML {
      HTML.element("nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of children")]) {
        if !isFirst {
          parts.link("First", to: parts.address.children(of: run.id), class: "button")
        }
        if let next = children.next {
          parts.link("Next", to: parts.address.children(of: run.id, after: next), class: "button")
        }
      }
    }
  }

  extension PageParts {
    /// A table of children.
    func table(of children: [ChildRecord], label: String) -> HTML {
      HTML.element("table", [.class("children cards"), HTMLAttribute("aria-label", label)]) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["State", "Run", "Flow", "Place", "Outcome for its parent"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for child in children { row(child) }
        }
      }
    }

    private func row(_ child: ChildRecord) -> HTML {
      HTML.element("tr") {
        HTML.element("td", [.class("at-phase")]) { badge(child.state) }
        HTML.element("td") { link("\(child.id)", to: address.run(child.id), class: "id") }
        HTML.element("td") { HTML.text(child.flow.inOneLine.cut(to: 40)) }
        HTML.element("td", [.class("quiet")]) {
          HTML.text(
            "\(grouped(child.place.ordinal)) of stage \(grouped(child.place.sequence))"
              + (child.isDetached ? ", detached" : ""))
        }
        HTML.element("td", [.class("detail")]) {
          if let error = child.error {
            HTML.element("span", [.class("error")]) { HTML.text(error.inOneLine.cut(to: 200)) }
          } else if let end = child.end {
            HTML.text(end.rawValue)
          }
        }
      }
    }
  }
#endif
