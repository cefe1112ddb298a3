#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The common layout of all pages.
  struct PageLayout {
    let parts: PageParts
    /// The name of the journal.
    let name: String
    /// The target of the page, for the script that refreshes it; nil for a static page.
    var target: String?

    func html(_ page: InspectorPage) -> HTML {
      let address = parts.address
      return .joined([
        .unescaped("<!doctype html>"),
        HTML.element("html", [HTMLAttribute("lang", "en")]) {
          HTML.element("head") {
            HTML.element("meta", [HTMLAttribute("charset", "utf-8")])
            meta("viewport", "width=device-width, initial-scale=1")
            meta("color-scheme", "light dark")
            meta("robots", "noindex")
            HTML.element("title") { HTML.text("\(page.title) · \(name)") }
            link("icon", address.icon)
            link("stylesheet", address.style)
            HTML.element(
              "script", [.address("src", address.script), HTMLAttribute("defer", isOn: true)])
          }
          HTML.element("body") {
            HTML.element("a", [.class("skip"), .address("href", "#content")]) {
              HTML.text("Skip to content")
            }
            top(page)
            HTML.element(
              "main",
              [.id("content"), .class("measure"), HTMLAttribute("tabindex", "-1")]
            ) {
              page.head
              HTML.element(
                "div", [.id("live"), HTMLAttribute("data-live", target.flatMap(address.live))]
              ) { page.live }
            }
            foot
          }
        },
      ])
    }

    private func meta(_ name: String, _ content: String) -> HTML {
      HTML.element("meta", [HTMLAttribute("name", name), HTMLAttribute("content", content)])
    }

    private func link(_ relation: String, _ target: String) -> HTML {
      HTML.element("link", [HTMLAttribute("rel", relation), .address("href", target)])
    }

    private func top(_ page: InspectorPage) -> HTML {
      let address = parts.address
      return HTML.element("header", [.class("top")]) {
        HTML.element("div", [.class("measure")]) {
          HTML.element("a", [.class("brand"), .address("href", address.overview)]) {
            Self.mark
            HTML.element("span") { HTML.text(name.inOneLine.cut(to: 60)) }
          }
          HTML.element("nav", [HTMLAttribute("aria-label", "Pages")]) {
            tab("Overview", address.overview, "o", isHere: page.title == "Overview")
            if parts.hasRuns {
              tab("Runs", address.runs(), "r", isHere: page.title == "Runs")
              tab("Schedules", address.schedules(), "s", isHere: page.title == "Schedules")
              tab("Limits", address.limits, "m", isHere: page.title == "Limits")
              tab("Workers", address.workers, "w", isHere: page.title == "Workers")
            }
            if parts.hasObjects {
              tab("Live", address.objects, "l", isHere: page.title == "Live")
              tab("Timeline", address.timeline(), "t", isHere: page.title == "Timeline")
            }
          }
          if parts.isReadOnly {
            HTML.element("span", [.class("read-only")]) { HTML.text("read-only") }
          }
          HTML.element(
            "form",
            [.class("find"), HTMLAttribute("role", "search"), .address("action", address.find)]
          ) {
            HTML.element("label", [.class("unseen"), HTMLAttribute("for", "find")]) {
              HTML.text(
                parts.hasRuns ? "Find a run by its identifier or key" : "Find events by their text")
            }
            HTML.element(
              "input",
              [
                .id("find"), HTMLAttribute("name", "q"), HTMLAttribute("type", "search"),
                HTMLAttribute(
                  "placeholder", parts.hasRuns ? "Identifier or key" : "Text of an event"),
                HTMLAttribute("autocomplete", "off"), HTMLAttribute("spellcheck", "false"),
              ])
            HTML.element("button", [HTMLAttribute("type", "submit")]) { HTML.text("Find") }
          }
        }
      }
    }

    private func tab(_ title: String, _ target: String, _ key: String, isHere: Bool) -> HTML {
      HTML.element(
        "a",
        [
          .address("href", target), HTMLAttribute("data-key", key),
          HTMLAttribute("aria-current", isHere ? "page" : nil),
        ]
      ) { HTML.text(title) }
    }

    private var foot: HTML {
      HTML.element("footer", [.class("measure")]) {
        HTML.element("span") {
          HTML.element("span", [.id("pulse"), HTMLAttribute("role", "status")]) {
            HTML.text("As of")
          }
          // Outside the status, because a screen reader must not announce each second.
          HTML.element("span", [.id("as-of"), .class("clock")]) {
            HTML.text(" \(StageText.time(parts.now)) UTC")
          }
        }
        if let target {
          HTML.element("a", [.id("refresh"), .address("href", target)]) { HTML.text("Refresh") }
        }
        HTML.element(
          "a", [.address("href", parts.address.changes()), HTMLAttribute("data-key", "c")]
        ) { HTML.text("Changes") }
        HTML.element("a", [.id("keys"), .address("href", parts.address.keys)]) {
          HTML.text("Keyboard shortcuts")
        }
      }
    }

    /// Three stacked stones; the icon contains no text of users.
    static let icon = """
      <svg xmlns="http://www.w3.org/2000/svg" class="mark" viewBox="0 0 32 32" width="26" height="26" \
      aria-hidden="true" focusable="false"><rect width="32" height="32" rx="8" fill="#3d5a80"/>\
      <rect x="6" y="20" width="20" height="6" rx="3" fill="#fff"/><rect x="8.5" y="12.5" width="13" \
      height="6" rx="3" fill="#d6e4f2"/><rect x="12" y="6" width="9" height="5" rx="2.5" \
      fill="#98c1d9"/></svg>
      """

    private static let mark = HTML.unescaped(icon)
  }
#endif
