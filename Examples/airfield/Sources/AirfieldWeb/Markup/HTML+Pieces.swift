import FieldstoneHTML

extension HTML {
  /// A link to one of our pages.
  static func link(
    _ text: String, to address: PageAddress, _ attributes: [HTMLAttribute] = []
  ) -> HTML {
    element("a", [.address("href", address.text)] + attributes) { HTML.text(text) }
  }

  /// Text from outside, whose direction stays its own.
  static func name(_ text: String) -> HTML {
    element("bdi") { HTML.text(text) }
  }

  /// The same in a narrow column, where a line may end after a slash.
  static func narrowName(_ text: String) -> HTML {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return element("bdi") {
      for (index, part) in parts.enumerated() {
        if index > 0 {
          HTML.text("/")
          element("wbr")
        }
        HTML.text(String(part))
      }
    }
  }

  /// A paragraph.
  static func paragraph(_ text: String, _ class: String? = nil) -> HTML {
    element("p", [HTMLAttribute("class", `class`)]) { HTML.text(text) }
  }

  /// A table of two columns, whose rows have their head and what there is to say of it.
  static func table(
    _ caption: String, _ titles: [String], head name: String, _ rows: [(head: HTML, cell: HTML)]
  ) -> HTML {
    element("table") {
      element("caption", [.class("unseen")]) { text(caption) }
      element("thead") {
        element("tr") {
          for title in titles {
            element("th", [HTMLAttribute("scope", "col")]) { text(title) }
          }
        }
      }
      element("tbody") {
        for row in rows {
          element("tr") {
            element("th", [HTMLAttribute("scope", "row"), .class(name)]) { row.head }
            element("td") { row.cell }
          }
        }
      }
    }
  }

  /// A bar that says how much of something is done, with its per cents.
  static func progress(_ fraction: Double, _ label: String) -> HTML {
    // Rounded down, so that 100 % is the end.
    let percent = "\(Int(max(0, min(1, fraction)) * 100))"
    return element("div", [.class("import-bar")]) {
      element(
        "progress",
        [
          HTMLAttribute("max", "100"), HTMLAttribute("value", percent),
          HTMLAttribute("aria-label", label),
        ]
      ) { HTML.text(percent + " %") }
      element("span") { HTML.text(percent + " %") }
    }
  }

  /// What is wrong, read out as it comes; nothing for nil.
  static func note(_ text: String?) -> HTML {
    guard let text else { return .empty }
    return element("p", [.class("note bad"), HTMLAttribute("role", "alert")]) {
      HTML.text(sentence(text))
    }
  }

  /// Errors of the command line end without a full stop.
  static func sentence(_ text: String) -> String {
    let ends = text.hasSuffix(".") || text.hasSuffix("!") || text.hasSuffix("?")
    return text + (ends ? "" : ".")
  }

  /// A form of buttons and nothing else, which works without scripts.
  static func buttons(
    at address: PageAddress, _ choices: [(name: String, label: String)],
    hidden: [(String, String)] = []
  ) -> HTML {
    element(
      "form",
      [HTMLAttribute("method", "post"), .address("action", address.text), .class("buttons")]
    ) {
      posted(hidden)
      for (name, label) in choices {
        element(
          "button",
          [
            HTMLAttribute("type", "submit"), HTMLAttribute("name", "do"),
            HTMLAttribute("value", name),
          ]
        ) { text(label) }
      }
    }
  }

  /// A form of one button, which works without scripts.
  static func button(
    _ label: String, at address: PageAddress, hidden: [(String, String)] = []
  ) -> HTML {
    element("form", [HTMLAttribute("method", "post"), .address("action", address.text)]) {
      posted(hidden)
      element("button", [HTMLAttribute("type", "submit"), .class("quiet")]) { text(label) }
    }
  }

  private static func posted(_ values: [(String, String)]) -> HTML {
    joined(
      values.map { name, value in
        element(
          "input",
          [
            HTMLAttribute("type", "hidden"), HTMLAttribute("name", name),
            HTMLAttribute("value", value),
          ])
      })
  }
}
