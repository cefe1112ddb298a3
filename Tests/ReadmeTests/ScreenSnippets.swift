import Fieldstone
import FieldstoneHTML
import Testing

@Suite("Articles: screens and pages")
@MainActor
struct ScreenSnippets {
  @Test("A screen over an integrator")
  func screen() async throws {
    // snippet: screens
    let users = Integrator(provider: ClosureProvider { (query: String) in ["ada", "alan"] })
    let screen = ScreenModel(users, parameters: "a", timing: .calm)
    screen.appear()  // the first appearance loads; retry() and refresh() load again
    switch screen.state {
    case .initial, .loading: break  // views without values
    case .primary(let overlay): print(users.phase.value ?? [], overlay)
    case .noResults: print("Nobody by that name.")
    case .retry(let error): print(error)
    }
    // end
    #expect(try await users("a") == ["ada", "alan"])
  }

  @Test("A form as a page, and back")
  func page() {
    // snippet: html
    let runway = RunwayForm()
    let page = HTML.form(runway.form, address: "/runways", submit: "Save")
    print(page.markup)  // <form … method="post" action="/runways" …
    runway.form.take(posted: [("Name", "11"), ("Length", "3500")])  // one edit, to be undone
    // end
    #expect(runway.length.value == 3_500)
  }
}
