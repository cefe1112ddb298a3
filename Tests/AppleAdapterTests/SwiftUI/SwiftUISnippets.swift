import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneLoading
import FieldstoneScreens
import SwiftUI
import Testing

// The code of the article about SwiftUI.

// snippet: swiftui-screen
@MainActor
final class People {
  let found = Integrator(
    provider: ClosureProvider { (query: String) in ["ada", "alan"].filter { $0.contains(query) } })
  let screen: ScreenModel

  init(query: String) {
    screen = ScreenModel(found, parameters: query, timing: .calm)
  }
}

struct PeopleView: View {
  @State private var people: People

  init(query: String) {
    _people = State(initialValue: People(query: query))
  }

  var body: some View {
    StatefulView(people.screen) {
      ForEach(people.found.phase.value ?? [], id: \.self) { name in
        Text(name)
      }
    } noResults: { again in
      ScreenNotice("No person has that name.", systemImage: "person", action: again)
    }
  }
}
// end

// snippet: swiftui-form
@MainActor
final class MemberForm {
  let name = Field<String>("Name").require(.notBlank)
  let email = Field<String>("Email").presented(as: .email).require(.email)
  private(set) lazy var form = FormModel {
    FormSection("Member") {
      name
      email
    }
  }
}

struct MemberView: View {
  @State private var screen: FormScreenModel

  init(_ member: MemberForm, save: @escaping @MainActor (String?) async throws -> Void) {
    _screen = State(
      initialValue: FormScreenModel(member.form) { try await save(member.name.value) })
  }

  var body: some View {
    FormView(screen, submit: "Save member")
  }
}
// end

@Suite("The article about SwiftUI")
@MainActor
struct SwiftUISnippets {
  @Test("Its screen shows what was loaded, or says that there is nobody", .timeLimit(.minutes(20)))
  func screen() async {
    let host = ViewHost(PeopleView(query: "ada"))
    await host.wait { $0.words == "ada" }
    let nobody = ViewHost(PeopleView(query: "grace"))
    await nobody.wait { $0.words == "No person has that name. Try again" }
  }

  @Test("Its form is filled in and saved", .timeLimit(.minutes(20)))
  func form() async throws {
    let saved = Locked<String?>(nil)
    let member = MemberForm()
    let host = ViewHost(MemberView(member) { name in saved.withLock { $0 = name } })
    try host.type("Ada", into: "Name")
    try host.type("ada@example.org", into: "Email")
    try host.tap("Button", "Save member")
    await host.wait { _ in member.form.phase == .submitted }
    #expect(saved.withLock { $0 } == "Ada")
  }

  @Test("Its colours are those that it names")
  func color() {
    // snippet: swiftui-color
    let sky = Color(hex: "#0b5a9e") ?? .primary
    let digits = sky.hex(in: EnvironmentValues()).description
    // end
    #expect(digits == "#0b5a9e")
  }
}
