import Fieldstone
import FieldstoneHTML

/// A page of one form: the settings, or the faults.
@MainActor
struct FormView {
  let title: String
  let text: String
  let form: FormModel
  let address: PageAddress
  let settings: AppSettings
  let notes: SiteNotes

  /// That it was saved, or why not.
  var note: String?

  /// Buttons besides the one that saves.
  var buttons: [(name: String, label: String)] = []

  var html: HTML {
    Layout(
      title: title, theme: settings.theme, current: address, live: LiveRequest(.other),
      notes: notes
    ).page {
      HTML.element("h1") { HTML.text(title) }
      HTML.paragraph(text, "place")
      if let note { HTML.status("note") { HTML.text(note) } }
      HTML.form(form, address: address.text)
      if !buttons.isEmpty { HTML.buttons(at: address, buttons) }
    }
  }
}
