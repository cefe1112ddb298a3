import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneHTML
import FieldstoneScreens
import Foundation
import Testing

@Suite("A form and a screen as HTML")
@MainActor
struct FormMarkupTests {
  enum Surface: String, CaseIterable, DefaultTransformable { case asphalt, grass }

  @MainActor final class RunwayForm {
    let name = Field<String>("Name").require(.notBlank).presented(help: "As on the sign.")
    let length = Field<Int>("Length").require(.range(100...6_000))
    let surface = Field<Surface>("Surface")
    let isLit = Field<Bool>("Lit")
    let secret = Field<String>("Secret").presented(as: .secure)
    let note = Field<String>("Note").presented(as: .multiline(lines: 4))
    let tags = *Field<String>("Tag").require(.length(...5))
    private(set) lazy var form = FormModel {
      FormSection("Runway") {
        name
        length
        surface
        isLit
      }
      FormSection("More") {
        secret
        note
        tags
      }
    }
  }

  @Test("Labels, helps and issues are tied to their controls")
  func ties() async {
    let runway = RunwayForm()
    runway.form["Length"]?.text = "99"
    await runway.form.submit {}
    let markup = HTML.form(runway.form, address: "/runways").markup
    #expect(markup.contains("<label for=\"form-0\">Name</label>"))
    #expect(
      markup.contains(
        "id=\"form-0\" name=\"Name\" aria-required=\"true\" aria-invalid=\"true\" "
          + "aria-describedby=\"form-0-help form-0-issues\" autofocus"))
    #expect(markup.contains("<p class=\"field-help\" id=\"form-0-help\">As on the sign.</p>"))
    #expect(markup.contains("id=\"form-0-issues\"><li>Name is required</li></ul>"))
    #expect(markup.contains("<li>Length must be at least 100</li>"))
    #expect(markup.contains("inputmode=\"numeric\" value=\"99\""))
    #expect(markup.contains("role=\"alert\"><p>2 fields need attention"))
    #expect(markup.contains("<legend>More</legend>"))
  }

  @Test("What a server refuses at a field is announced, until the field is edited")
  func rejection() async {
    let code = Field<String>("Code", value: "ABC")
    let form = FormModel { code }
    await form.submit { throw FormRejection(["Code": "is taken"]) }
    let markup = HTML.form(form, address: "/").markup
    #expect(markup.contains("role=\"alert\"><p>") && markup.contains("<li>Code is taken</li>"))
    form["Code"]?.text = "ABD"
    #expect(HTML.form(form, address: "/").markup.contains("role=\"alert\"></div>"))
  }

  @Test("The help and the issues of a list are tied to each of its controls")
  func listTies() throws {
    let tags = ArrayField(Field<String>("Tag"), name: "Tags", value: ["a", "b"])
      .presented(help: "A word each.").require(.notNil)
    let markup = try Tokens(HTML.form(FormModel { tags }, address: "/").markup)
    #expect(
      markup.values(of: "aria-describedby")
        == Array(repeating: "form-0-help form-0-issues", count: 3))
    // The others may be left empty.
    #expect(markup.values(of: "aria-required") == ["true"])
    #expect(markup.skeleton.contains { $0.hasPrefix("<input id name aria-label aria-required ") })
  }

  @Test("Items of several lines have a control of several lines each")
  func itemsOfLines() throws {
    let element = Field<String>("Note").presented(as: .multiline(lines: 3))
    let notes = ArrayField(element, name: "Notes", value: ["\na", "</textarea>"])
    let markup = HTML.form(FormModel { notes }, address: "/").markup
    #expect(try Tokens(markup).values(of: "rows") == ["3", "3", "3"])
    #expect(markup.contains(">\n\na</textarea>") && markup.contains(">\n&lt;/textarea&gt;<"))
    #expect(!markup.contains("<input"))
  }

  @Test("Every kind has its control, and a secret is never written back")
  func kinds() {
    let runway = RunwayForm()
    runway.secret.value = "hunter2"
    runway.surface.value = .grass
    runway.isLit.value = true
    runway.note.value = "</textarea><b>"
    runway.tags.value = ["a", "b"]
    let markup = HTML.form(runway.form, address: "/").markup
    #expect(!markup.contains("hunter2") && markup.contains("type=\"password\""))
    #expect(markup.contains("<option value=\"grass\" selected>grass</option>"))
    #expect(markup.contains("type=\"checkbox\" value=\"true\" checked"))
    #expect(markup.contains("rows=\"4\">\n&lt;/textarea&gt;&lt;b&gt;</textarea>"))
    #expect(markup.matches(of: /name="Tag"/).count == 3)
  }

  @Test("What a browser posts is taken as one edit", arguments: [true, false])
  func post(isLit: Bool) {
    let runway = RunwayForm()
    runway.tags.value = ["a", "b", "c"]
    let first = runway.form["Tag"]?.items.first?.id
    runway.form.take(
      posted: [
        ("Name", "11"), ("Length", "35oo"), ("Surface", "grass"), ("Note", "x\r\ny"),
        ("Tag", "a"), ("Tag", ""), ("Tag", "d"), ("Nobody", "?"),
      ] + (isLit ? [("Lit", "true")] : []))
    #expect(runway.name.value == "11" && runway.surface.value == .grass)
    #expect(runway.length.value == nil && runway.form["Length"]?.text == "35oo")
    #expect(runway.isLit.value == (isLit ? true : nil))
    #expect(runway.note.value == "x\ny")
    #expect(runway.tags.value == ["a", "d"])
    #expect(runway.form["Tag"]?.items.first?.id == first)
    runway.form.undo()
    #expect(runway.name.value == nil && runway.tags.value == ["a", "b", "c"])
  }

  @Test(
    "A screen shows the view of its state",
    arguments: [
      (ScreenState.initial, "screen-initial", "Nothing here yet."),
      (.blank, "screen-blank", "aria-busy=\"true\""),
      (.loading, "screen-loading", "aria-busy=\"true\""),
      (.primary(.none), "screen-primary", "<b>42</b>"),
      (.primary(.refreshing), "aria-busy=\"true\"", "<b>42</b>"),
      (.primary(.failed(MessageError("a < b"))), "a &lt; b", "<b>42</b>"),
      (.noResults, "No results.", "href=\"/again?a=1&amp;b=2\""),
      (.retry(MessageError("a < b")), "a &lt; b", "Try again"),
    ])
  func screen(state: ScreenState, first: String, second: String) {
    let markup = HTML.screen(state, retryAddress: "/again?a=1&b=2") {
      HTML.element("b") { HTML.text("42") }
    }.markup
    #expect(markup.contains(first) && markup.contains(second))
    #expect(markup.contains("<b>42</b>") == (state.view == .primary))
  }

  @Test(
    "A date has the control of a web page for its kind, as long as its text can be put in there",
    arguments: [
      (FieldKind.date, "datetime-local", "2026-02-03T10:15"), (.day, "date", "2026-02-03"),
      (.time, "time", "10:15"),
    ])
  func dates(kind: FieldKind, type: String, text: String) throws {
    let date = Field<Date>("When").presented(as: kind)
    let form = FormModel { date }
    form.take(posted: [("When", text)])
    #expect(date.value != nil)
    var tokens = try Tokens(HTML.form(form, address: "/").markup)
    #expect(tokens.values(of: "type").contains(type) && tokens.values(of: "value").contains(text))
    form.take(posted: [("When", "soon")])
    tokens = try Tokens(HTML.form(form, address: "/").markup)
    #expect(
      !tokens.values(of: "type").contains(type) && tokens.values(of: "value").contains("soon"))
    let moment = Field<Date>("When").transform(with: .iso8601)
    tokens = try Tokens(HTML.form(FormModel { moment }, address: "/").markup)
    #expect(!tokens.values(of: "type").contains("datetime-local"))
  }

  @Test("A screen speaks the language of its words")
  func language() {
    let markup = HTML.screen(.noResults, retryAddress: "/", texts: .german) {}.markup
    #expect(markup.contains("Keine Ergebnisse.") && markup.contains("Noch einmal versuchen"))
  }

  @Test("A screen is a live region, and busy while something is on its way")
  func live() throws {
    let states: [(ScreenState, String)] = [
      (.initial, "false"), (.blank, "true"), (.loading, "true"), (.primary(.none), "false"),
      (.primary(.refreshing), "true"), (.primary(.failed(MessageError("x"))), "false"),
      (.noResults, "false"), (.retry(MessageError("x")), "false"),
    ]
    for (state, isBusy) in states {
      let tokens = try Tokens(HTML.screen(state, retryAddress: "/") {}.markup)
      #expect(tokens.values(of: "aria-live") == ["polite"])
      #expect(tokens.values(of: "aria-busy") == [isBusy], "\(state)")
      // Whatever can be tried again is so by a link, without scripts.
      let isOffered = state.error != nil || state.view == .noResults
      #expect(tokens.values(of: "href") == (isOffered ? ["/"] : []), "\(state)")
    }
  }

  @Test("A form is busy while it is submitted, and can't be submitted then")
  func busy() async throws {
    let form = FormModel { Field<String>("Name") }
    func markup() throws -> Tokens { try Tokens(HTML.form(form, address: "/").markup) }
    #expect(try markup().values(of: "aria-busy") == ["false"])
    #expect(try !markup().skeleton.contains("<button type disabled>"))
    var (meanwhile, names): ([String], [String]) = ([], [])
    await form.submit {
      meanwhile = try markup().values(of: "aria-busy")
      names = try markup().skeleton
    }
    #expect(meanwhile == ["true"] && names.contains("<button type disabled>"))
    #expect(try markup().values(of: "aria-busy") == ["false"])
  }

  @Test("Every identifier is there once, and whatever is referred to is there")
  func identifiers() async throws {
    let (one, other) = (RunwayForm(), RunwayForm())
    one.tags.value = ["a", "b", "far too long"]
    await one.form.submit {}
    let page = HTML.joined([
      HTML.form(one.form, address: "/"), HTML.form(other.form, address: "/", prefix: "other"),
    ])
    let tokens = try Tokens(page.markup)
    let identifiers = tokens.values(of: "id")
    #expect(Set(identifiers).count == identifiers.count)
    let referred =
      tokens.values(of: "for")
      + tokens.values(of: "aria-describedby").flatMap { $0.split(separator: " ").map(String.init) }
    #expect(referred.count > 20 && referred.allSatisfy(identifiers.contains))
  }
}
