import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneHTML
import FieldstoneScreens
import FieldstoneTesting
import Testing

@Suite("Hostile text, wherever it stands")
@MainActor
struct HostileTextTests {
  /// Every place of a page where somebody's text can stand.
  enum Place: CaseIterable {
    case key, label, help, placeholder, value, multilineValue, optionText, optionLabel, chosen
    case itemLabel, itemValue, section, issue, serverIssue, formIssue
    case address, submit, prefix, hiddenName, hiddenValue
  }

  /// Places that take only what is harmless of a text.
  private static let silent: Set<Place> = [.address, .prefix]

  nonisolated static let texts =
    MarkupTests.hostile + [
      "a b", "\u{FEFF}<b>", "-->", "\u{1}", "&#60;b&#62;", "&amp", "\"", "'", "<", ">", "&",
      "</li></ul></form>", "\u{202E}<b>", "\n</textarea>", "]]><!--", "\u{7F}", "🏳️‍🌈<", "\\\"",
    ]

  /// A form with a text at a place, and harmless ones at all others.
  private func page(with text: String, at place: Place) async -> HTML {
    func put(_ here: Place, _ other: String) -> String { here == place ? text : other }

    let name = Field<String>(put(.key, "Name"))
      .require(message: put(.issue, "is wrong")) { _ in false }
    name.presented(
      label: put(.label, "Name"), help: put(.help, "Help"),
      placeholder: put(.placeholder, "Placeholder"))
    name.value = put(.value, "Value")
    let note = Field<String>("Note").presented(as: .multiline(lines: 2))
    note.value = put(.multilineValue, "Note")
    let kind = Field<String>("Kind").presented(
      as: .choice([
        FieldOption(put(.optionText, "one"), label: put(.optionLabel, "One")),
        FieldOption(put(.chosen, "two")),
      ]))
    kind.value = put(.chosen, "two")
    let tags = *Field<String>("Tag").presented(label: put(.itemLabel, "Tag"))
    tags.value = [put(.itemValue, "tag")]
    let form = FormModel {
      FormSection(put(.section, "Section")) {
        name
        note
        kind
        tags
      }
    }
    await form.submit {}
    var taken = FieldIssue(put(.serverIssue, "is taken"))
    taken.path = ["Note"]
    form.report([taken, FieldIssue(put(.formIssue, "is closed"))])
    return HTML.form(
      form, address: put(.address, "/a"), submit: put(.submit, "Save"),
      prefix: put(.prefix, "form"),
      hidden: [(put(.hiddenName, "token"), put(.hiddenValue, "1"))])
  }

  @Test("A form has the elements that it has, and says the text", arguments: Place.allCases)
  func form(place: Place) async throws {
    let harmless = try await Tokens(page(with: "harmless", at: place).markup)
    for text in Self.texts {
      let tokens = try await Tokens(page(with: text, at: place).markup)
      #expect(tokens.skeleton == harmless.skeleton, "\(text.debugDescription) at \(place)")
      // A blank would make two of one.
      #expect(tokens.values(of: "id").allSatisfy { !$0.contains(where: \.isWhitespace) })
      if Self.silent.contains(place) { continue }
      let said = text.replacing("\0", with: "\u{FFFD}")
      #expect(
        tokens.texts.contains { says($0, said) },
        "\(text.debugDescription) is not said at \(place)")
    }
  }

  @Test("What was posted comes back as it was posted", arguments: texts)
  func post(text: String) throws {
    let (line, lines) = (Field<String>("Line"), Field<String>("Lines"))
    lines.presented(as: .multiline(lines: 3))
    let items = *Field<String>("Item")
    let form = FormModel {
      line; lines; items
    }
    form.take(posted: [("Line", text), ("Lines", text), ("Item", text), (text, text)])
    let said = text.replacing("\0", with: "\u{FFFD}")
    let tokens = try Tokens(HTML.form(form, address: "/").markup)
    #expect(tokens.values(of: "value").prefix(2).map(scalars) == [said, said].map(scalars))
    // A browser drops the line break right after the tag.
    #expect(tokens.texts.contains { scalars($0) == scalars("\n" + said) })
    #expect(line.value == text && lines.value == text && items.value == [text])
  }

  /// Every place of a screen where somebody's text can stand.
  enum ScreenPlace: CaseIterable {
    case initial, initialMessage, loading, noResults, noResultsMessage, retry, button, refreshing,
      error, refreshError, primary
    case address
  }

  private func screen(with text: String, at place: ScreenPlace) -> HTML {
    func put(_ here: ScreenPlace, _ other: String) -> String { here == place ? text : other }

    var texts = ScreenTexts.english
    texts.initial = put(.initial, "a")
    texts.initialMessage = put(.initialMessage, "k")
    texts.loading = put(.loading, "b")
    texts.noResults = put(.noResults, "c")
    texts.noResultsMessage = put(.noResultsMessage, "l")
    texts.failure = put(.retry, "d")
    texts.tryAgain = put(.button, "e")
    texts.refreshing = put(.refreshing, "f")
    let states: [ScreenState] = [
      .initial, .loading, .noResults, .retry(MessageError(put(.error, "g"))),
      .primary(.none), .primary(.refreshing),
      .primary(.failed(MessageError(put(.refreshError, "h")))),
    ]
    return .joined(
      states.map { state in
        HTML.screen(state, retryAddress: put(.address, "/i"), texts: texts) {
          HTML.element("b") { HTML.text(put(.primary, "j")) }
        }
      })
  }

  @Test(
    "A screen has the elements that it has, and says the text", arguments: ScreenPlace.allCases)
  func screen(place: ScreenPlace) throws {
    let harmless = try Tokens(screen(with: "harmless", at: place).markup)
    for text in Self.texts {
      let tokens = try Tokens(screen(with: text, at: place).markup)
      #expect(tokens.skeleton == harmless.skeleton, "\(text.debugDescription) at \(place)")
      if place == .address { continue }
      let said = text.replacing("\0", with: "\u{FFFD}")
      #expect(
        tokens.texts.contains { says($0, said) },
        "\(text.debugDescription) is not said at \(place)")
    }
  }

  @Test("Text that was put together at random is read as it was written", arguments: 0..<20)
  func random(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let parts = Self.texts + ["a", " ", "=", "/", ";", "amp;", "#39;", "\u{301}", "x\""]
    for _ in 0..<200 {
      let count = Int.random(in: 0...6, using: &generator)
      let text = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      let markup = HTML.element("p", [HTMLAttribute("title", text)]) { HTML.text(text) }.markup
      let tokens = try Tokens(markup)
      let said = scalars(text.replacing("\0", with: "\u{FFFD}"))
      #expect(tokens.skeleton == ["<p title>", "</p>"], "seed \(seed): \(text.debugDescription)")
      let texts = tokens.texts.map(scalars)
      #expect(
        texts == (said.isEmpty ? [said] : [said, said]), "seed \(seed): \(text.debugDescription)")
    }
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

  private func says(_ text: String, _ part: String) -> Bool {
    scalars(text).contains(scalars(part))
  }
}
