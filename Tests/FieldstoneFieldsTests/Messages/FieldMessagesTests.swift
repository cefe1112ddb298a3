import FieldstoneFields
import Foundation
import Testing

@Suite("What issues say")
struct FieldMessagesTests {
  static let catalogues = [FieldMessages.english, .german]

  /// Every code that the package makes, with all of its parameters.
  static let codes: [String: [String: String]] = [
    "ambiguousNumber": ["fraction": "1.234", "thousands": "1234"],
    "announcement": ["count": "2", "sentences": "a; b"],
    "blank": [:], "couldNotValidate": ["reason": "r"], "email": [:], "invalid": [:],
    "malformed": ["expected": "text", "found": "1"], "missingCharacter": [:],
    "noTransformer": ["type": "T"],
    "notADate": ["example": "e"], "notANumber": ["example": "12"],
    "notAllowed": ["allowed": "a, b"], "notEqual": ["other": "o"], "notGreater": ["limit": "1"],
    "notLess": ["limit": "1"], "notRepresentable": ["expected": "e", "value": "v"],
    "notATime": ["example": "10:15"],
    "notTyped": [:], "notWhole": ["example": "12"], "or": [:], "pattern": [:], "required": [:],
    "tooFew": ["minimum": "2"], "tooLarge": ["maximum": "2"], "tooLong": ["maximum": "2"],
    "tooMany": ["maximum": "2"], "tooManyScalars": [:], "tooShort": ["minimum": "2"],
    "tooSmall": ["minimum": "2"],
    "unknownValue": ["value": "v"], "url": ["example": "e"], "wrongCharacter": ["character": "x"],
    "wrongCount": ["count": "2"],
    "wrongLength": ["length": "2"],
  ]

  @Test("Both languages have the same phrases, one for each code that the package makes")
  func complete() throws {
    #expect(Set(FieldMessages.english.phrases.keys) == Set(FieldMessages.german.phrases.keys))
    // The form may have more of its own.
    #expect(Set(Self.codes.keys).isSubset(of: FieldMessages.english.phrases.keys))
    // What the sources say, lest a new code is forgotten here and there; `any` says
    // its parts, and `rejected` has words of its own.
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardized
    let files = try ["FieldstoneFields", "FieldstoneForms"].flatMap { target in
      let folder = sources.appending(path: target)
      return try #require(FileManager.default.subpaths(atPath: folder.path))
        .map { folder.appending(path: $0) }
    }
    var found: Set<String> = []
    for file in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") where !line.contains("///") {
        for match in line.matches(
          of: /(?:code:[^",]*|issue\(isText \? )"([a-zA-Z]+)"(?: : "([a-zA-Z]+)")?/)
        {
          found.insert(String(match.1))
          if let other = match.2 { found.insert(String(other)) }
        }
      }
    }
    #expect(found.count > 20)
    for language in Self.catalogues {
      #expect(
        found.subtracting(language.phrases.keys) == ["any", "rejected"], "\(language.language)")
    }
  }

  @Test("Every place in every phrase is filled, in every form", arguments: codes.keys.sorted())
  func filled(code: String) throws {
    let parameters = try #require(Self.codes[code])
    for language in Self.catalogues {
      for count in ["0", "1", "2", "5"] {
        let given = parameters.mapValues { $0 == "2" ? count : $0 }
        let text = language.text(for: FieldIssue(code: code, parameters: given))
        #expect(!text.isEmpty && !text.contains("{") && !text.contains("}"))
        for (name, value) in given where !["reason", "found", "type"].contains(name) {
          // What is to be written is in front of the person.
          if code == "notRepresentable", name == "value" { continue }
          // "One field" says its number itself.
          if code == "announcement", name == "count", count == "1" { continue }
          #expect(text.contains(value), "\(language.language) \(name): \(text)")
        }
      }
    }
  }

  @Test("Words are those of the language", arguments: codes.keys.filter { $0 != "or" })
  func differ(code: String) {
    let issue = FieldIssue(code: code, parameters: Self.codes[code] ?? [:])
    #expect(issue.english != issue.german)
  }

  @Test(
    "Forms follow the number",
    arguments: [("0", "items"), ("1", "item"), ("2", "items"), ("11", "items")])
  func plural(count: String, word: String) {
    let issue = FieldIssue(code: "tooFew", parameters: ["minimum": count])
    #expect(issue.english == "must have at least \(count) \(word)")
    let noun = count == "1" ? "Eintrag" : "Einträge"
    #expect(issue.german == "muss mindestens \(count) \(noun) haben")
  }

  @Test("A number that is missing or none takes the general form")
  func noNumber() {
    #expect(FieldIssue(code: "tooFew").english == "must have at least {minimum} items")
    let issue = FieldIssue(code: "tooFew", parameters: ["minimum": "some"])
    #expect(issue.english == "must have at least some items")
  }

  @Test("A language with more forms says so, and forms that are missing are the general one")
  func slavicForms() {
    let polish = FieldMessages(
      language: "pl",
      phrases: [
        "tooFew": .counted(
          by: "minimum", one: "{minimum} wpis", few: "{minimum} wpisy", many: "{minimum} wpisów",
          other: "{minimum} wpisu"),
        "tooMany": .counted(by: "maximum", one: "{maximum} wpis", other: "{maximum} wpisów"),
      ],
      decimalSeparator: ","
    ) { count in
      if count == 1 { return .one }
      let (ten, hundred) = (count % 10, count % 100)
      return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
    }
    let texts = [1, 2, 5, 12, 22].map {
      polish.text(for: FieldIssue(code: "tooFew", parameters: ["minimum": "\($0)"]))
    }
    #expect(texts == ["1 wpis", "2 wpisy", "5 wpisów", "12 wpisów", "22 wpisy"])
    #expect(
      polish.text(for: FieldIssue(code: "tooMany", parameters: ["maximum": "3"])) == "3 wpisów")
  }

  @Test(
    "Numbers have the language's comma, and nothing else does",
    arguments: [
      ("3.5", "3,5"), ("-90.25", "-90,25"), ("3", "3"), ("1.5e+20", "1,5e+20"), ("v1.2", "v1.2"),
      ("1.2.3", "1.2.3"), ("https://example.org", "https://example.org"), ("a.b", "a.b"), ("", ""),
    ])
  func comma(value: String, german: String) {
    let issue = FieldIssue(code: "tooSmall", parameters: ["minimum": value])
    #expect(issue.german == "muss mindestens \(german) sein")
    #expect(issue.english == "must be at least \(value)")
  }

  @Test("An unknown code is not valid, and own words go before all")
  func unknown() {
    let issue = FieldIssue(code: "notOneOfOurs")
    #expect(issue.english == "is not valid" && issue.german == "ist nicht gültig")
    #expect(FieldIssue("is odd", code: "tooSmall").german == "is odd")
    let bare = FieldMessages(language: "xx", phrases: [:])
    #expect(bare.text(for: issue) == "notOneOfOurs")
    #expect(bare.announcement(of: ["a", "b"]) == "a; b")
    let either = FieldIssue(code: "any", alternatives: [FieldIssue("a"), FieldIssue("b")])
    #expect(bare.text(for: either) == "a or b" && either.german == "a oder b")
    #expect(FieldIssue("neither", code: "any").english == "neither")
  }

  @Test("A catalogue may have words for a combination")
  func anyPhrase() {
    var messages = FieldMessages.english
    messages.phrases["any"] = "is neither the one nor the other"
    let either = FieldIssue(code: "any", alternatives: [FieldIssue("a"), FieldIssue("b")])
    #expect(messages.text(for: either) == "is neither the one nor the other")
  }

  @Test("Own words are translated by a catalogue that has them, and may have places")
  func translated() {
    var messages = FieldMessages.german
    messages.phrases["is at least {minimum}"] = "ist wenigstens {minimum}"
    let field = Field<Double>().require(.atLeast(2.5), message: "is at least {minimum}")
    field.value = 1
    let issue = field.validate().issues[0]
    #expect(messages.text(for: issue) == "ist wenigstens 2,5")
    #expect(issue.english == "is at least 2.5")
  }

  @Test(
    "Braces that are no place stay",
    arguments: [
      ("{", "{"), ("}", "}"), ("{}", "{}"), ("{x", "{x"), ("a{b}c", "a{b}c"), ("{{x}}", "{1}"),
      ("{ x}", "{ x}"), ("{x}{x}", "11"), ("{y}{x}", "{y}1"),
    ])
  func braces(phrase: String, text: String) {
    let messages = FieldMessages(language: "en", phrases: ["c": FieldPhrase(phrase)])
    #expect(messages.text(for: FieldIssue(code: "c", parameters: ["x": "1"])) == text)
    // What is filled in is not filled in again.
    let issue = FieldIssue(code: "d", parameters: ["x": "{x}"])
    let other = FieldMessages(language: "en", phrases: ["d": "({x})"])
    #expect(other.text(for: issue) == "({x})")
  }

  @Test("Sentences have the name, and announcements have all of them")
  func sentences() {
    let issue = FieldIssue(code: "tooSmall", parameters: ["minimum": "3"])
    #expect(
      FieldMessages.english.sentence(for: issue, name: "Elevation")
        == "Elevation must be at least 3")
    #expect(FieldMessages.english.sentence(for: issue, name: "") == "must be at least 3")
    #expect(
      FieldMessages.german.sentence(for: issue, name: "Höhe") == "Höhe muss mindestens 3 sein")
    #expect(
      FieldMessages.english.announcement(of: ["A is odd", "B is bad"])
        == "2 fields need attention: A is odd; B is bad.")
    #expect(
      FieldMessages.english.announcement(of: ["A is odd"]) == "One field needs attention: A is odd."
    )
    #expect(FieldMessages.german.announcement(of: ["A"]) == "Ein Feld braucht Aufmerksamkeit: A.")
    #expect(
      FieldMessages.german.announcement(of: ["A", "B"]) == "2 Felder brauchen Aufmerksamkeit: A; B."
    )
  }

  @Test("Texts are made when shown: issues that are there follow the catalogue")
  func exchanged() {
    let field = Field<Int>("Age", value: 1).require(.atLeast(3))
    let issues = field.validate().issues
    let texts = Self.catalogues.map { language in
      FieldMessages.withCurrent(language) { issues.map(\.text) + field.issues.map(\.text) }
    }
    #expect(texts[0] == ["must be at least 3", "must be at least 3"])
    #expect(texts[1] == ["muss mindestens 3 sein", "muss mindestens 3 sein"])
    #expect(field.issues.map(\.text) == ["must be at least 3"])
    var own = FieldMessages.english
    own.phrases["tooSmall"] = "is below {minimum}"
    FieldMessages.withCurrent(own) {
      #expect(field.issues.map(\.text) == ["is below 3"])
      FieldMessages.withCurrent(.german) {
        #expect(FieldMessages.current.language == "de")
      }
      #expect(FieldMessages.current.language == "en")
    }
  }

  @Test("A body's error is handed on, and its catalogue ends with it")
  func scopedThrows() {
    struct Trouble: Error {}
    #expect(throws: Trouble.self) {
      try FieldMessages.withCurrent(.german) { throw Trouble() }
    }
    #expect(FieldMessages.current.language == "en")
  }

  @Test("An app replaces the catalogue of the process")
  func replaced() {
    // What others see meanwhile are English words for a code that is nobody else's.
    let before = FieldMessages.current
    var messages = before
    messages.phrases["onlyInThisTest"] = "is only in this test"
    FieldMessages.current = messages
    #expect(FieldIssue(code: "onlyInThisTest").text == "is only in this test")
    FieldMessages.current = before
    #expect(FieldIssue(code: "onlyInThisTest").text == "is not valid")
  }

  @Test("Catalogues know their language, and German its comma")
  func languages() {
    #expect(FieldMessages.english.language == "en" && FieldMessages.english.decimalSeparator == ".")
    #expect(FieldMessages.german.language == "de" && FieldMessages.german.decimalSeparator == ",")
    #expect(
      FieldMessages.english.pluralForm(1) == .one && FieldMessages.english.pluralForm(-1) == .other)
  }
}
