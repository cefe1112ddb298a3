import FieldstoneHTML

extension HTML {
  /// An element with attributes by their names; those without a value are left out.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>,
    @HTMLBuilder content: () -> HTML = { .empty }
  ) -> HTML {
    element(name, attributes.map { HTMLAttribute($0, $1) }, content: content)
  }

  static func link(
    _ text: String, to address: PageAddress, _ attributes: [HTMLAttribute] = []
  ) -> HTML {
    element("a", [.address("href", address.text)] + attributes) { HTML.text(text) }
  }

  /// A link by a name from outside.
  static func link(named name: String, to address: PageAddress) -> HTML {
    element("a", [.address("href", address.text)]) { HTML.name(name) }
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

  static func paragraph(_ text: String, _ class: String? = nil) -> HTML {
    element("p", ["class": `class`]) { HTML.text(text) }
  }

  static func trail(@HTMLBuilder _ links: () -> HTML) -> HTML {
    element("nav", ["class": "trail", "aria-label": "Way back"], content: links)
  }

  /// What is read out as it comes.
  static func status(_ class: String, @HTMLBuilder _ content: () -> HTML) -> HTML {
    element("p", ["class": `class`, "role": "status"], content: content)
  }

  /// Names with what there is to say of each.
  static func facts(_ class: String?, _ facts: [(name: String, value: HTML)]) -> HTML {
    element("dl", ["class": `class`]) {
      for fact in facts {
        element("div") {
          element("dt") { text(fact.name) }
          element("dd") { fact.value }
        }
      }
    }
  }

  /// Shows how far something is by now, where no script does.
  static func lookAgain(at address: PageAddress) -> HTML {
    element("p", ["class": "without-script"]) { link("See how far it is", to: address) }
  }

  /// Why it was not done what somebody asked for last, and a button where nothing can be told.
  static func problem(_ text: String?, isBlind: Bool, at address: PageAddress) -> HTML {
    joined([
      note(text),
      isBlind
        ? element("div", ["class": "import-blind"]) {
          buttons(at: address, [("look", "Try again")])
        }
        : .empty,
    ])
  }

  /// A table of two columns, whose rows have their head and what there is to say of it.
  static func table(
    _ caption: String, _ titles: [String], head name: String, _ rows: [(head: HTML, cell: HTML)]
  ) -> HTML {
    element("table") {
      element("caption", ["class": "unseen"]) { text(caption) }
      element("thead") {
        element("tr") {
          for title in titles {
            element("th", ["scope": "col"]) { text(title) }
          }
        }
      }
      element("tbody") {
        for row in rows {
          element("tr") {
            element("th", ["scope": "row", "class": name]) { row.head }
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
    return element("div", ["class": "import-bar"]) {
      element("progress", ["max": "100", "value": percent, "aria-label": label]) {
        HTML.text(percent + " %")
      }
      element("span") { HTML.text(percent + " %") }
    }
  }

  /// What is wrong, read out as it comes; nothing for nil.
  static func note(_ text: String?) -> HTML {
    guard let text else { return .empty }
    return element("p", ["class": "note bad", "role": "alert"]) {
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
    element("form", ["method": "post", "action": address.text, "class": "buttons"]) {
      posted(hidden)
      for (name, label) in choices {
        element("button", ["type": "submit", "name": "do", "value": name]) { text(label) }
      }
    }
  }

  /// A form of one button, which works without scripts.
  static func button(
    _ label: String, at address: PageAddress, hidden: [(String, String)] = []
  ) -> HTML {
    element("form", ["method": "post", "action": address.text]) {
      posted(hidden)
      element("button", ["type": "submit", "class": "quiet"]) { text(label) }
    }
  }

  private static func posted(_ values: [(String, String)]) -> HTML {
    joined(
      values.map { name, value in
        element("input", ["type": "hidden", "name": name, "value": value])
      })
  }
}
