import Fieldstone
import FieldstoneHTML

/// An edit as a live page: what is wrong with each field, and what others have saved.
@MainActor
final class EditFace {
  let screen: AirportEditScreen
  private let draft: String
  private let settings: SettingsScreen

  /// The revision that the page shows, and the form once that is another one.
  private var revision: Int
  private var renewed: HTML?

  /// Makes the face of a page that shows a revision; nil where it does not say which.
  init(_ screen: AirportEditScreen, draft: String, shown: Int?, settings: SettingsScreen) {
    self.screen = screen
    self.draft = draft
    self.settings = settings
    revision = shown ?? EditView.revision(of: screen)
  }

  func fragments() -> [Fragment] {
    let view = EditView(
      screen: screen, draft: draft, settings: settings.settings, notes: SiteNotes())
    var fragments: [Fragment] = [
      .part(id: "notice", view.notice), .part(id: "tools", view.tools),
    ]
    if EditView.revision(of: screen) != revision {
      revision = EditView.revision(of: screen)
      renewed = view.form
    }
    if let renewed { fragments.append(.part(id: "editing", renewed)) }
    let form = screen.form
    for (index, field) in form.fields.enumerated() {
      let issues = field.issues
      let items = issues.map { issue in
        HTML.element("li") { HTML.text(form.messages.sentence(for: issue, name: field.label)) }
      }
      fragments.append(
        .issues(
          id: "\(EditView.prefix)-\(index)", HTML.joined(items), isInvalid: !issues.isEmpty))
    }
    return fragments
  }
}
