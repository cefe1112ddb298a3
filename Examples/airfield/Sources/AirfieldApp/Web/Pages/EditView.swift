import Fieldstone
import FieldstoneHTML
import Foundation

/// The page that edits an airport, or adds one.
@MainActor
struct EditView {
  let screen: AirportEditScreen
  let draft: String
  let settings: AppSettings
  let notes: SiteNotes

  var html: HTML {
    Layout(
      title: title, theme: settings.theme, current: screen.base == nil ? address : nil,
      live: LiveRequest(.edit, visitor: draft), notes: notes
    ).page {
      HTML.trail {
        if let airport = screen.base?.airport {
          HTML.link(named: airport.name, to: .airport(icao: airport.icao))
        } else {
          HTML.link("All airports", to: .directory())
        }
      }
      HTML.element("h1") { HTML.text(title) }
      HTML.element("div", ["id": "notice", "aria-live": "polite"]) { notice }
      HTML.element("div", ["id": "editing"]) { form }
      // The script says here that the server can't be reached; nothing else is put into it.
      HTML.element(
        "p",
        [
          .id("unsent"), .class("note bad"), HTMLAttribute("role", "alert"),
          HTMLAttribute("hidden", isOn: true),
        ]
      ) {}
      HTML.element("div", ["id": "tools", "class": "buttons tools"]) { tools }
      HTML.element("datalist", ["id": "time-zones"]) {
        for zone in TimeZoneCatalog.identifiers {
          HTML.element("option", ["value": zone]) {}
        }
      }
    }
  }

  static let prefix = "edit"

  /// The revision that the page says it shows; 0 for a new airport.
  static func revision(of screen: AirportEditScreen) -> Int { screen.base?.revision ?? 0 }

  private var address: PageAddress { .edit(icao: screen.base?.airport.icao, draft: nil) }

  private var title: String { screen.base == nil ? "Add an airport" : "Edit an airport" }

  var form: HTML {
    HTML.form(
      screen.form, address: address.text, submit: "Save", prefix: Self.prefix,
      hidden: [("draft", draft), ("revision", "\(Self.revision(of: screen))")]
        + (screen.base?.airport.posted.map { [("was", $0)] } ?? [])
    ).identified("edit").suggesting("time-zones", for: "timeZone")
  }

  /// What stands above the form: that somebody else has saved, or why it was not saved.
  @HTMLBuilder var notice: HTML {
    if let conflict = screen.conflict {
      // Enter presses the first button of the form on the page, which is to be none of those below.
      HTML.element(
        "button",
        [
          "type": "submit", "form": "edit", "class": "unseen", "tabindex": "-1",
          "aria-hidden": "true", "aria-label": "Save",
        ]
      ) {}
      HTML.element("div", ["class": "note conflict"]) {
        HTML.element("p") {
          HTML.element("strong") { HTML.text("Somebody else has saved this airport meanwhile.") }
        }
        if !screen.differences.isEmpty { differences }
        HTML.element("div", ["class": "buttons"]) {
          action("keep", "Keep my edits")
          action("theirs", "Take theirs (\(conflict.airport.icao))")
        }
      }
    } else if case .failed(let error) = screen.state, screen.form.invalidCount == 0 {
      HTML.note("It was not saved. " + error.localizedDescription)
    }
  }

  private var differences: HTML {
    HTML.element("dl", ["class": "differences"]) {
      for difference in screen.differences {
        HTML.element("div") {
          HTML.element("dt") { HTML.text(difference.label) }
          for case (let whose, let text?) in [
            ("yours: ", difference.mine), ("theirs: ", difference.theirs),
          ] {
            HTML.element("dd") {
              HTML.element("span") { HTML.text(whose) }
              HTML.name(text.isEmpty ? "–" : text)
            }
          }
        }
      }
    }
  }

  /// Buttons that belong to the form and stand behind it, so that Enter saves and nothing else.
  @HTMLBuilder var tools: HTML {
    action("undo", "Undo", isOn: screen.form.canUndo)
    action("redo", "Redo", isOn: screen.form.canRedo)
    action("reset", "Start again", isOn: screen.form.isModified)
  }

  private func action(_ name: String, _ label: String, isOn: Bool = true) -> HTML {
    HTML.element(
      "button",
      [
        HTMLAttribute("type", "submit"), HTMLAttribute("form", "edit"), HTMLAttribute("name", "do"),
        HTMLAttribute("value", name), .class("quiet"),
        // Without scripts what was typed is not known here yet, so there may be something to undo.
        HTMLAttribute("data-off", isOn ? nil : "true"),
      ]
    ) { HTML.text(label) }
  }
}

extension Airport {
  /// All of it as a value to be posted: a page says so what it was made from.
  ///
  /// The server may have forgotten that by then.
  fileprivate var posted: String? {
    let encoder = JSONEncoder()
    // The same each time, so that a live page is not sent its form again.
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  init?(posted text: String?) {
    guard let text,
      let airport = try? JSONDecoder().decode(Self.self, from: Data(text.utf8))
    else { return nil }
    self = airport
  }
}

extension HTML {
  /// A form of which a control suggests what stands in a list elsewhere on the page.
  fileprivate func suggesting(_ list: String, for name: String) -> HTML {
    // What somebody has typed has no quotes in markup.
    .unescaped(markup.replacing("name=\"\(name)\"", with: "name=\"\(name)\" list=\"\(list)\""))
  }

  /// A form with an identifier, so that buttons elsewhere on the page can belong to it.
  fileprivate func identified(_ identifier: String) -> HTML {
    let start = "<form "
    guard markup.hasPrefix(start) else { return self }
    return .unescaped("<form id=\"\(identifier)\" " + markup.dropFirst(start.count))
  }
}
