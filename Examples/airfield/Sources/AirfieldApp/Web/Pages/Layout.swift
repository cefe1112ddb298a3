import FieldstoneHTML

struct Layout {
  let title: String?
  let theme: AppSettings.Theme

  /// The page of the menu that this is, where it is one.
  var current: PageAddress?

  /// What is asked for, as the search field and the filters have it.
  var query = AirportQuery()

  /// The address under which search engines and bookmarks know the page.
  var canonical: PageAddress?

  /// What the page wants to be told of.
  var live: LiveRequest?
  var notes = SiteNotes()

  /// Whether the page comes again by itself where it is not live.
  var refreshes = false

  func page(@HTMLBuilder _ content: () -> HTML) -> HTML {
    let content = content()
    return .joined([
      .unescaped("<!doctype html>"),
      .element("html", ["lang": "en", "data-theme": theme.rawValue]) {
        head
        HTML.element("body", ["data-live": live.map { PageAddress.live($0).text }]) {
          HTML.element("a", ["class": "skip", "href": "#content"]) { HTML.text("Skip to content") }
          top
          notices
          HTML.element("main", ["id": "content", "class": "measure", "tabindex": "-1"]) { content }
          foot
        }
      },
    ])
  }

  private var head: HTML {
    HTML.element("head") {
      HTML.element("meta", ["charset": "utf-8"])
      meta("viewport", "width=device-width, initial-scale=1")
      meta("color-scheme", theme == .system ? "light dark" : theme.rawValue)
      HTML.element("title", ["id": "title"]) { Self.title(title) }
      if let canonical { link("canonical", canonical, nil) }
      if refreshes {
        HTML.element("noscript") {
          HTML.element("meta", ["http-equiv": "refresh", "content": "2"])
        }
      }
      link("icon", .asset(.icon), "image/svg+xml")
      link("stylesheet", .asset(.style), nil)
      for script in [Asset.map, .script] {
        HTML.element(
          "script",
          [.address("src", PageAddress.asset(script).text), HTMLAttribute("defer", isOn: true)])
      }
    }
  }

  /// The title of a page with that of the whole.
  static func title(_ title: String?) -> HTML {
    HTML.text(title.map { $0 + " – airfield" } ?? "airfield – airports of the world")
  }

  private func meta(_ name: String, _ content: String) -> HTML {
    HTML.element("meta", ["name": name, "content": content])
  }

  private func link(_ relation: String, _ address: PageAddress, _ type: String?) -> HTML {
    HTML.element("link", ["rel": relation, "href": address.text, "type": type])
  }

  private var top: HTML {
    HTML.element("header", ["class": "top"]) {
      HTML.element("div", ["class": "measure"]) {
        HTML.element("a", ["class": "brand", "href": "/"]) {
          Self.mark
          HTML.element("span") { HTML.text("airfield") }
        }
        search
        HTML.element("nav", ["class": "menu", "aria-label": "Pages"]) {
          if !notes.isReadOnly {
            menuLink("Add", to: .edit(icao: nil, draft: nil))
            menuLink("Import", to: .importing)
          }
          if notes.hasExports { menuLink("Exports", to: .nightly) }
          menuLink("Settings", to: .settings)
        }
      }
    }
  }

  /// A link to a page, which says so where that is the page it stands on.
  private func menuLink(
    _ text: String, to address: PageAddress, _ attributes: [HTMLAttribute] = []
  ) -> HTML {
    let mark = HTMLAttribute("aria-current", address == current ? "page" : nil)
    return HTML.link(text, to: address, attributes + [mark])
  }

  private var search: HTML {
    HTML.element(
      "form", ["class": "search", "id": "search", "role": "search", "action": "/", "method": "get"]
    ) {
      HTML.element("label", ["for": "q"]) { HTML.text("Search airports") }
      HTML.element("div", ["class": "searchbox"]) {
        HTML.element(
          "input",
          [
            "id": "q", "name": "q", "type": "search", "value": query.search?.text ?? "",
            "placeholder": "Code, name or place", "autocomplete": "off", "spellcheck": "false",
            "autocapitalize": "off", "maxlength": "100", "enterkeyhint": "search",
          ])
        HTML.element("button", ["type": "submit"]) { HTML.text("Search") }
      }
    }
  }

  @HTMLBuilder private var notices: HTML {
    HTML.element(
      "p",
      [
        .id("connection"), .class("banner"), HTMLAttribute("role", "status"),
        HTMLAttribute("hidden", isOn: true),
      ]
    ) { HTML.text("The connection to the server is lost. Trying again…") }
    if notes.isReadOnly {
      HTML.element("p", ["id": "read-only", "class": "banner warning"]) {
        HTML.text(
          "This database can’t be written: airports can be looked at and downloaded, and neither "
            + "added, edited, deleted nor imported.")
      }
    }
    if notes.hasFaults {
      HTML.status("banner warning") {
        HTML.text("Faults are switched on. ")
        HTML.link("Look at them", to: .faults)
      }
    }
  }

  private var foot: HTML {
    HTML.element("footer", ["class": "measure"]) {
      HTML.element("p") {
        HTML.text("Airport data by ")
        HTML.element(
          "a", ["href": "https://github.com/mborsetti/airportsdata", "rel": "noreferrer"]
        ) { HTML.text("airportsdata") }
        HTML.text(", MIT licence. Not for navigation.")
      }
      HTML.element("p", ["class": "developers"]) {
        HTML.text("For developers: ")
        menuLink("Faults", to: .faults, notes.hasFaults ? [.class("warning")] : [])
      }
    }
  }

  /// The sign before the name; it is ours, and no text stands in it.
  private static let mark = HTML.unescaped(
    """
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" \
    focusable="false"><rect width="32" height="32" rx="8"/><path d="M9 27 13.5 5h5L23 27z"/>\
    <path class="line" d="M16 8v3m0 3.5v3.5m0 4v4.5"/></svg>
    """)
}

/// What every page says of the whole, above its content.
struct SiteNotes {
  var hasFaults = false
  var isReadOnly = false
  var hasExports = false
}

extension SiteNotes {
  @MainActor init(_ model: AirfieldModel) {
    self.init(
      hasFaults: model.faults.faults.isAny, isReadOnly: model.source.isReadOnly,
      hasExports: model.nightly != nil && !model.source.isReadOnly)
  }
}
