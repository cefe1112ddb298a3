import AirfieldWeb
import Testing

@Suite("Markup")
struct HTMLTests {
  static let texts: [(text: String, markup: String)] = [
    ("plain", "plain"), ("Bíldudalur 🛬", "Bíldudalur 🛬"),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("\" onload='x'", "&quot; onload=&#39;x&#39;"), ("a & b &amp;", "a &amp; b &amp;amp;"),
    ("]]>--><!--", "]]&gt;--&gt;&lt;!--"), ("a\u{0}b\u{1B}\u{7F}", "a\u{FFFD}b\u{FFFD}\u{FFFD}"),
    ("tab\tline\n", "tab\tline\n"), ("<\u{301}", "&lt;\u{301}"),
  ]

  @Test("has every text from outside escaped", arguments: texts)
  func escapes(_ text: String, _ markup: String) {
    let html: HTML = "<p title=\"\(text)\">\(text)</p>"
    #expect(html.markup == "<p title=\"\(markup)\">\(markup)</p>")
  }

  @Test("takes other markup as it is, once")
  func nests() {
    let items: [HTML] = ["a<b", "c"].map { "<li>\($0)</li>" }
    let none: HTML? = nil
    let html: HTML = "<ul>\(items)</ul>\(none)\(3)"
    #expect(html.markup == "<ul><li>a&lt;b</li><li>c</li></ul>3")
  }
}
