import AirfieldScreens
import Fieldstone
import FieldstoneHTML

/// An edit as a live page: what is wrong with each field, and what others have saved.
@MainActor
final class EditFace: LiveFace {
  let screen: AirportEditScreen
  private let draft: String
  private let settings: SettingsScreen

  init(_ screen: AirportEditScreen, draft: String, settings: SettingsScreen) {
    self.screen = screen
    self.draft = draft
    self.settings = settings
  }

  func fragments() -> [Fragment] {
    let view = EditView(
      screen: screen, draft: draft, settings: settings.settings, hasFaults: false)
    var fragments: [Fragment] = [
      .part(id: "notice", view.notice), .part(id: "tools", view.tools),
    ]
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
