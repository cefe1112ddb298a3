import Fieldstone
import FieldstoneHTML
import FieldstoneTesting
import Foundation
import Observation
import Testing

/// The item type of the snippets' list.
struct Message: Identifiable, Sendable {
  let id: Int
}

@Suite("README: screens and pages")
@MainActor
struct ScreenSnippets {
  private let pages = ClosureProvider { (request: PageRequest<Int>) in
    ItemPage([Message(id: request.cursor ?? 0)], next: (request.cursor ?? 0) + 1)
  }

  @Test("A screen over an integrator")
  func screen() async throws {
    // snippet: screens
    let users = Integrator(provider: ClosureProvider { (query: String) in ["ada", "alan"] })
    let screen = ScreenModel(users, parameters: "a", timing: .calm)
    screen.appear()  // the first appearance loads; retry() and refresh() load again
    switch screen.state {
    case .initial, .blank, .loading: break  // views without values
    case .primary(let overlay): print(users.phase.value ?? [], overlay)
    case .noResults: print("No person has that name.")
    case .retry(let error): print(error.localizedDescription)
    }
    // end
    #expect(try await users("a") == ["ada", "alan"])
  }

  @Test("A screen over anything else that loads")
  func sources() async {
    let (pages, server) = (pages, AirportServer())
    let names = ClosureProvider { (query: String) in ["ada", "alan"] }
    // snippet: screens-sources
    let list = PaginatedList(provider: pages)
    let endless = ScreenModel(list, reloading: .allLoaded)
    let queued = ScreenModel(operation: { ProviderOperation(names, "a") })  // a new one each time
    let plain = ScreenModel { await server.saved.isEmpty ? .empty : .some }
    // end
    for screen in [endless, queued, plain] { screen.appear() }
    #expect(endless.state.view == .loading)
    #expect(await list.reload(.firstPage).outcome.value?.addedCount == 1)
  }

  @Test("A screen with a form")
  func form() async {
    let server = AirportServer()
    let runway = RunwayForm()
    runway.form.take(posted: [("Name", "11"), ("Length", "3500")])
    // snippet: screens-form
    let screen = FormScreenModel(runway.form, timing: .calm) {
      await server.save(try runway.form.json())
    }
    screen.submit()  // from the button
    switch screen.state {
    case .editing, .submitting: break  // the fields, and perhaps that they are on their way
    case .submitted: print("Saved.")
    case .failed(let error): print(error.localizedDescription)  // the rest is at the fields
    }
    // end
    for await state in screen.states() {
      if case .submitted = state { break }
    }
    #expect(await server.saved.count == 1)
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
    #expect(page.markup.contains("action=\"/runways\""))
  }

  @Test("A screen as a page")
  func screenPage() {
    let state = ScreenState.noResults
    let names = ["<ada>"]
    // snippet: html-screen
    let page = HTML.screen(state, retryAddress: "/users?q=a") {
      HTML.element("ul") {
        for name in names { HTML.element("li") { HTML.text(name) } }
      }
    }
    // end
    #expect(page.markup.contains("href=\"/users?q=a\""))
  }
}
