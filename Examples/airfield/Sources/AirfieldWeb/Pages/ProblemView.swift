import AirfieldDirectory
import AirfieldScreens
import FieldstoneHTML

/// The page for what can't be shown.
struct ProblemView {
  let title: String
  let text: String
  let theme: AppSettings.Theme

  /// What may be why.
  var notes = SiteNotes()

  /// Where trying again leads.
  var retry: PageAddress?

  var html: HTML {
    Layout(title: title, theme: theme, notes: notes).page {
      HTML.element("div", [.class("problem")]) {
        HTML.element("h1") { HTML.text(title) }
        HTML.paragraph(text)
        if let retry { HTML.element("p") { HTML.link("Try again", to: retry) } }
        HTML.element("p") {
          HTML.link("See all airports", to: .directory(AirportQuery(), page: PageNumber(1)))
        }
      }
    }
  }
}
