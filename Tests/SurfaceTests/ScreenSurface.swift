import Fieldstone
import FieldstoneHTML
import FieldstoneTesting
import Testing

// An application's code: a custom source, and each of the ready ones. Without `import Foundation`,
// because adopting the public types must not need it.

@MainActor
private final class OwnSource: ScreenSource {
  private(set) var knowledge = ScreenKnowledge(content: .unknown, isLoading: false, error: nil)
  private(set) var acts: [String] = []

  func load() {
    acts.append("load")
    knowledge.content = .some
  }

  func cancel() { acts.append("cancel") }
}

@MainActor
private final class RetryingSource: ScreenSource {
  var knowledge: ScreenKnowledge { ScreenKnowledge(content: .empty) }
  private(set) var acts: [String] = []

  func load() { acts.append("load") }
  func retry() { acts.append("retry") }
  func cancel() { acts.append("cancel") }
}

private struct Row: Identifiable, Sendable {
  let id: Int
}

@Suite("The surface of screens")
@MainActor
struct ScreenSurface {
  private let time = ManualTime()

  @Test("A source of one's own drives a screen, and is ended with it")
  func ownSource() {
    let source = OwnSource()
    var screen: ScreenModel? = ScreenModel(source: source, timing: .immediate, time: time.source)
    screen?.appear()
    #expect(screen?.state.view == .primary && screen?.state.isBusy == false)
    screen?.retry()
    screen?.refresh()
    screen = nil
    #expect(source.acts == ["load", "load", "load", "cancel"])

    let retrying = RetryingSource()
    screen = ScreenModel(source: retrying)
    screen?.appear()
    screen?.retry()
    #expect(retrying.acts == ["load", "retry"] && screen?.state.view == .noResults)
  }

  @Test("Every source has its initialiser, with and without a timing")
  func initialisers() {
    let numbers = Integrator(provider: ClosureProvider { (count: Int) in Array(0..<count) })
    let total = Integrator(provider: ClosureProvider { (count: Int) in count })
    let list = PaginatedList(
      provider: ClosureProvider { (_: PageRequest<Int>) in ItemPage([Row(id: 1)]) })
    let timing = LoadingTiming(delay: .milliseconds(200), minimum: .milliseconds(500))
    #expect(timing == .calm)
    let screens = [
      ScreenModel(numbers, parameters: 3),
      ScreenModel(numbers, parameters: 3, timing: timing, time: time.source),
      ScreenModel(total, parameters: 3) { $0 == 0 },
      ScreenModel(list),
      ScreenModel(list, reloading: .allLoaded, timing: timing, time: time.source),
      ScreenModel(operation: { StatefulBlockOperation { [1] } }),
      ScreenModel(
        operation: { StatefulBlockOperation { 1 } }, timing: timing, time: time.source
      ) { $0 == 0 },
      ScreenModel { .some },
      ScreenModel(loadsOnAppear: false) { .some },
      ScreenModel(timing: timing, time: time.source) { .empty },
    ]
    #expect(screens.allSatisfy { $0.state.view == .initial && $0.state.error == nil })
  }

  @Test("What is known is matched, and what is shown follows from it")
  func states() {
    let trouble = MessageError("no network")
    var known = ScreenKnowledge(LoadPhase<[Int]>.failed(trouble, previous: [1])) { $0.isEmpty }
    #expect(known.content == .some && known.error != nil && !known.isLoading)
    let views = ScreenKnowledge.Content.allCases.map { content -> ScreenView in
      known.content = content
      switch ScreenState(known) {
      case .initial, .blank, .loading, .noResults: return .initial
      case .primary(.none), .primary(.refreshing): return .loading
      case .primary(.failed): return .primary
      case .retry: return .retry
      }
    }
    #expect(views == [.retry, .retry, .primary])
    #expect(ScreenView.allCases.count == 6)
  }

  @Test("A form has a screen")
  func form() async {
    let name = Field<String>("Name").require(.notBlank)
    let form = FormModel { FormSection("Person") { name } }
    let sent = Recorder<Void>()
    let screen = FormScreenModel(form, timing: .immediate, time: time.source) { sent.record(()) }
    #expect(screen.form === form)
    switch screen.state {
    case .editing: break
    case .submitting, .submitted, .failed: Issue.record("It is to be filled in.")
    }
    name.value = "Ada"
    screen.submit()
    #expect(screen.state.isBusy && screen.state.error == nil)
    await sent.elements(atLeast: 1)
    screen.cancel()
    #expect(FormScreenState(.editing, error: MessageError("no network")).error != nil)
    #expect(FormScreenState(.submitted).isBusy == false)
  }
}

@Suite("The surface of pages")
@MainActor
struct PageSurface {
  @HTMLBuilder
  private func rows(_ names: [String], isLong: Bool) -> HTML {
    if names.isEmpty { HTML.text("Nobody.") }
    for name in names { HTML.element("li") { HTML.text(name) } }
    if isLong {
      HTML.element("hr")
    } else {
      HTML.empty
    }
  }

  @Test("Pages are built of elements, attributes and texts")
  func builder() {
    let page = HTML.element(
      "ul",
      [
        .class("names"), .id("names"), HTMLAttribute("title", "A & B"),
        HTMLAttribute("hidden", isOn: false), HTMLAttribute("lang", nil as String?),
      ]
    ) { rows(["<ada>"], isLong: true) }
    #expect(
      page.markup
        == "<ul class=\"names\" id=\"names\" title=\"A &amp; B\"><li>&lt;ada&gt;</li><hr></ul>")
    #expect(rows([], isLong: false).markup == "Nobody.")
    let link = HTML.element("a", [.address("href", "/a?b=c")]) { HTML.unescaped("<b>x</b>") }
    #expect(link.markup == "<a href=\"/a?b=c\"><b>x</b></a>")
    #expect(HTML.joined([link, .empty]) == link)
  }

  @Test("Screens speak the words that they are given")
  func texts() {
    var texts = ScreenTexts.current
    (texts.initial, texts.loading, texts.noResults) = ("Anfang", "Lädt", "Nichts")
    (texts.failure, texts.tryAgain, texts.refreshing) = ("Misslungen", "Noch einmal", "Neu")
    let page = HTML.screen(.retry(MessageError("Kein Netz")), retryAddress: "/", texts: texts) {}
    #expect(page.markup.contains("Noch einmal") && page.markup.contains("Kein Netz"))
  }

  @Test("A form goes out as a page, and comes back as what was posted")
  func form() {
    let name = Field<String>("Name")
    let form = FormModel { name }
    let page = HTML.form(
      form, address: "/people", submit: "Save", prefix: "person", hidden: [("token", "1")])
    #expect(page.markup.contains("id=\"person-0\"") && page.markup.contains("value=\"1\""))
    form.take(posted: [("Name", "Ada")])
    #expect(name.value == "Ada")
  }
}
