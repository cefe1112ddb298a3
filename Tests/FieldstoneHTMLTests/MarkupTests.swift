import FieldstoneHTML
import Foundation
import Testing

@Suite("HTML says what it is given, and nothing else")
struct MarkupTests {
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onclick='alert(1)",
    "&lt;b&gt;", "</textarea><script>", "<!--", "]]>", "\u{0}<b>", "a\u{338}<b\u{338}>", "{{x}}",
    "javascript:alert(1)", "\u{2028}", "é<", "<\u{301}script>",
  ]

  @Test("Text has no element in it, whatever it is", arguments: hostile)
  func text(_ text: String) throws {
    let markup = HTML.element("p") { HTML.text(text) }.markup
    let inner = try #require(markup.wholeMatch(of: /<p>([\s\S]*)<\/p>/)).output.1
    // By scalars: `contains` of a character would miss one with a mark on it.
    #expect(!inner.unicodeScalars.contains { "<>\"'\0".unicodeScalars.contains($0) })
    #expect(unescaped(String(inner)) == text.replacing("\0", with: "\u{FFFD}"))
  }

  @Test("A value of an attribute does not end it, whatever it is", arguments: hostile)
  func attribute(_ text: String) {
    let markup = HTML.element("input", [HTMLAttribute("value", text)]).markup
    let scalars = markup.unicodeScalars
    #expect(scalars.count { $0 == "\"" } == 2)
    #expect(scalars.count { $0 == "<" } == 1 && scalars.count { $0 == ">" } == 1)
  }

  @Test("Names of elements and attributes hold nothing but names", arguments: hostile)
  func names(_ text: String) {
    let markup = HTML.element(text, [HTMLAttribute(text, "v")]).markup
    #expect(markup.contains(/^<[A-Za-z0-9-]+( [A-Za-z0-9-]+="v")?>/))
    #expect(!markup.lowercased().contains(" on"))
  }

  @Test(
    "An address that would run as a script leads nowhere",
    arguments: [
      "javascript:alert(1)", " JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "\u{1}javascript:x",
      "data:text/html,<script>", "vbscript:x", "java\tscript:x", "javascript:\u{301}x",
    ])
  func scripts(_ address: String) {
    for name in ["href", "SRC", "action", "formaction"] {
      let markup = HTML.element("a", [HTMLAttribute(name, address)]).markup
      #expect(markup.contains("about:blank#blocked"))
      #expect(!markup.lowercased().contains("script:") && !markup.contains("data:"))
    }
  }

  @Test(
    "Other addresses stay",
    arguments: [
      "/airports?q=a:b", "https://example.org", "mailto:a@b.org", "?x=javascript:1", "#a:b", "",
      "tel:+43",
    ])
  func addresses(_ address: String) {
    #expect(
      HTML.element("a", [.address("href", address)]).markup
        == "<a href=\"\(address)\"></a>")
  }

  @Test("What runs as a script, or is a page of its own, is no attribute")
  func handlers() {
    for name in ["onClick", "ON", "srcdoc", "SrcDoc", "7onload"] {
      #expect(HTML.element("b", [HTMLAttribute(name, "x()")]).markup == "<b></b>")
    }
  }

  @Test("Where browsers read no escapes there is no text", arguments: ["script", "STYLE", "xmp"])
  func raw(name: String) {
    let own = HTML.unescaped("a < b && c > d")
    #expect(HTML.element(name) { own }.markup == "<\(name)>a < b && c > d</\(name)>")
    #expect(HTML.element(name) { HTML.text("alert(1)") }.markup == "<\(name)></\(name)>")
    let mixed = HTML.element(name) {
      own
      HTML.element("b") { own }
    }
    #expect(mixed.markup == "<\(name)></\(name)>")
    #expect(HTML.element(name) {}.markup == "<\(name)></\(name)>")
  }

  @Test("Elements without content have no end, in whatever case")
  func void() {
    #expect(HTML.element("BR") { HTML.text("x") }.markup == "<BR>")
    #expect(HTML.element("--!x1-").markup == "<x1-></x1->")
    #expect(HTML.element("42").markup == "<x></x>")
  }

  @Test("Pieces are equal whose markup is")
  func equal() {
    #expect(HTML.text("a") == HTML.unescaped("a"))
    #expect(Set([HTML.text("a"), HTML.unescaped("a"), HTML.text("b")]).count == 2)
  }

  private func unescaped(_ text: String) -> String {
    var text = String.UnicodeScalarView(text.unicodeScalars).description
    for (code, sign) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      text = text.replacingOccurrences(of: code, with: sign, options: .literal)
    }
    return text
  }
}
