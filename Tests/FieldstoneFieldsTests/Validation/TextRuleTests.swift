import FieldstoneCore
import FieldstoneFields
import FieldstoneTesting
import RegexBuilder
import Testing

@Suite("Rules of texts")
struct TextRuleTests {
  @Test(
    "Not blank needs a character with a visible form",
    arguments: [
      "", " ", "\t\n\r\n", "\u{A0}", "\u{2003}\u{3000}", "\u{B}\u{C}", " \u{301}",
      "\u{85}\u{2028}\u{2029}", "\u{0}", "\u{1F}", "\u{7F}", "\u{200B}", "\u{FEFF}", "\u{202E}",
      " \u{2060}\u{AD}", "\u{3164}", "\u{E0020}",
      "                                  ",
    ])
  func blank(text: String) {
    #expect(Field<String>().require(.notBlank).codes(of: text) == ["blank"])
  }

  @Test(
    "Anything that can be seen is not blank",
    arguments: [
      "a", " a ", "\n.", "0", "é", "\u{A0}x", "👩‍👩‍👧‍👦", "\u{200B}x", "\u{7F}\u{301}", "٣",
      "                                  x",
    ])
  func notBlank(text: String) {
    #expect(Field<String>().require(.notBlank).codes(of: text) == [])
  }

  @Test("Every character is as blank by the rule as it is by itself")
  func everyScalar() {
    let field = Field<String>().require(.notBlank)
    for number in UInt32(0)...0x3100 {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let text = String(Character(scalar))
      let properties = scalar.properties
      let isBlank =
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint
        || [.control, .format].contains(properties.generalCategory)
      if (field.codes(of: text) == ["blank"]) != isBlank {
        Issue.record("U+\(String(number, radix: 16))")
      }
    }
  }

  @Test("What is blank is told in both languages")
  func blankMessage() {
    let field = Field<String>().require(.notBlank)
    #expect(field.texts(of: " ") == ["must not be blank", "darf nicht leer sein"])
  }

  @Test(
    "A pattern has to match the whole text",
    arguments: [
      ("LOWW", []), ("LOW", ["pattern"]), ("LOWWW", ["pattern"]), ("xLOWW", ["pattern"]),
      ("loww", ["pattern"]), ("LOWW\n", ["pattern"]), ("", ["pattern"]),
    ])
  func pattern(text: String, codes: [String]) {
    let field = Field<String>().require(.pattern(/[A-Z]{4}/))
    #expect(field.codes(of: text) == codes)
    if !codes.isEmpty {
      #expect(
        field.texts(of: text) == ["does not have the right form", "hat nicht die richtige Form"])
    }
  }

  @Test("A pattern is made once for each field")
  func patternMadeOnce() {
    let made = Recorder<Void>()
    @Sendable func regex() -> Regex<Substring> {
      made.record(())
      return /a+/
    }
    let rule = FieldRule.pattern(regex())
    #expect(made.count == 0)
    let (one, two) = (Field<String>().require(rule), Field<String>().require(rule))
    for text in ["a", "aa", "b"] { #expect(one.codes(of: text) == two.codes(of: text)) }
    #expect(made.count == 2)
  }

  @Test("A capture whose transform throws could not be validated")
  func patternThrows() {
    struct TooMuch: DescribedError { let message = "more than I can hold" }
    let field = Field<String>().require(
      .pattern(
        Regex {
          TryCapture {
            OneOrMore(.digit)
          } transform: { digits -> Int? in
            guard let number = Int(digits) else { throw TooMuch() }
            return number
          }
        }))
    #expect(field.codes(of: "12") == [])
    field.value = "99999999999999999999999"
    let issues = field.validate().issues
    #expect(issues.map(\.code) == ["couldNotValidate"])
    #expect(issues.first?.parameters["reason"] == "more than I can hold")
  }

  static let longName = String(repeating: "n", count: 64)
  static let longLabel = String(repeating: "d", count: 63)

  @Test(
    "Email addresses as people write them are accepted",
    arguments: [
      "a@b.at", "first.last@example.org", "name+tag@example.co.uk", "o'brien@example.ie",
      "user_name@sub-domain.example.com", "1@1and1.de", "jürgen@müller.example", "用户@例子.测试",
      "A.B@EXAMPLE.ORG", "a@xn--mller-kva.example", "x!#$%&'*+-/=?^_`{|}~@example.org",
      "a@1.2.museum", "\(longName)@example.org", "a@\(longLabel).org", "e\u{301}@example.org",
    ])
  func emails(text: String) {
    #expect(Field<String>().require(.email).codes(of: text) == [])
  }

  @Test(
    "What is no email address is refused",
    arguments: [
      "", "@", "a", "a@", "@b.at", "a@b", "a@b.", "a@.at", "a@b..at", ".a@b.at", "a.@b.at",
      "a..b@b.at", "a b@b.at", " a@b.at", "a@b.at ", "a@b.at\n", "a@@b.at", "a@b@c.at", "a@-b.at",
      "a@b-.at", "a@b_c.at", "a@b.c", "a@1.2.3.4", "a@[1.2.3.4]", "\"a\"@b.at", "a(x)@b.at",
      "Name <a@b.at>", "a,b@c.at", "a@b,at", "a@b.at.", "mailto:a@b.at", "a@b.at;c@d.at",
      "\(longName)n@example.org", "a@\(longLabel)d.org", "a@example.org\u{200B}",
      "👍@example.org", "a@👍.org",
    ])
  func noEmails(text: String) {
    let field = Field<String>().require(.email)
    #expect(field.codes(of: text) == ["email"])
    #expect(
      field.texts(of: text) == [
        "must be an email address, such as name@example.org",
        "muss eine E-Mail-Adresse sein, etwa name@example.org",
      ])
  }

  @Test("An email address has at most 254 bytes")
  func longEmail() {
    let label = String(repeating: "d", count: 60)
    let domain = "\(label).\(label).\(label).sixsix.org"
    let name = String(repeating: "n", count: 254 - 1 - domain.utf8.count)
    #expect(name.utf8.count == 60)
    let field = Field<String>().require(.email)
    #expect(field.codes(of: name + "@" + domain) == [])
    #expect(field.codes(of: "n" + name + "@" + domain) == ["email"])
  }

  @Test(
    "Absolute web addresses are accepted",
    arguments: [
      "https://example.org", "http://example.org/", "HTTPS://Example.ORG", "https://localhost",
      "https://example.org:8080/path/to?q=1&r=%20#part", "https://user@example.org",
      "https://127.0.0.1", "https://[::1]/", "https://a.b.c.example.org/~name/",
      "https://xn--mller-kva.example/", "https://example.org/?a[]=1", "https://example.org/ü",
    ])
  func urls(text: String) {
    #expect(Field<String>().require(.url).codes(of: text) == [])
  }

  @Test(
    "What is no absolute web address is refused",
    arguments: [
      "", "example", "example.org", "www.example.org", "//example.org", "/path", "https://",
      "https:", "https:/example.org", "https:example.org", "https:///path", "https://.example.org",
      "https://exa..mple.org", "https://exa mple.org", " https://example.org",
      "https://example.org ", "https://example.org/a b", "https://example.org\n",
      "ftp://example.org", "mailto:a@b.at", "javascript:alert(1)", "file:///etc/hosts",
      "https://exa<mple.org", "https://example.org:port", "https://[::1", "https://?q",
      "https://#part", "ht tps://example.org", "1https://example.org", "https://example.org/\"x\"",
      "https://example.org/<b>", "https://example.org:99999", "https://example.org:0",
    ])
  func noURLs(text: String) {
    let field = Field<String>().require(.url)
    #expect(field.codes(of: text) == ["url"])
    #expect(
      field.texts(of: text) == [
        "must be a web address, such as https://example.org",
        "muss eine Web-Adresse sein, etwa https://example.org",
      ])
  }

  @Test("Other schemes can be accepted instead, and the example shows the first of them")
  func schemes() {
    let field = Field<String>().require(.url(schemes: ["ftp", "sftp"]))
    #expect(field.codes(of: "ftp://example.org") == [])
    #expect(field.codes(of: "SFTP://example.org") == [])
    #expect(
      field.texts(of: "https://example.org") == [
        "must be a web address, such as ftp://example.org",
        "muss eine Web-Adresse sein, etwa ftp://example.org",
      ])
    #expect(Field<String>().require(.url(schemes: [])).codes(of: "https://a.at") == ["url"])
  }
}
