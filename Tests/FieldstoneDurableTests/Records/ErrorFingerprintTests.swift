import FieldstoneDurable
import Testing

@Suite("What errors have in common")
struct ErrorFingerprintTests {
  @Test(
    "Numbers, identifiers and quoted parts are left out",
    arguments: [
      ("Order 17 timed out after 3.5 s", "Order # timed out after # s"),
      ("Order 9 timed out after 12 s", "Order # timed out after # s"),
      ("no run 01M7ZPDGEEG7D4Z239M2CR1K92", "no run #"),
      ("no run 550e8400-e29b-41d4-a716-446655440000.", "no run #."),
      ("at 2026-11-24T15:30:00Z: refused", "at #: refused"),
      ("connect to 10.0.0.7:5432 failed", "connect to # failed"),
      ("code 0xdeadbeef1", "code #"), ("HTTP 503", "HTTP #"), ("-5 < 0", "# < #"),
      ("unknown customer \"ada\"", "unknown customer …"),
      ("unknown customer “ada” of ‘x’", "unknown customer … of …"),
      ("can't open 'a b.txt', it doesn't exist", "can't open …, it doesn't exist"),
      ("it's 'ada's' turn", "it's … turn"), ("»so« and «so» `x`", "… and … …"),
      ("an open \"quotation", "an open \"quotation"), ("‘‘a 1 \"b\" ‘c", "‘‘a # … ‘c"),
      ("'a 'b' ‘c", "… ‘c"), ("„x“ „y ”z „", "… …z „"), ("the users' file", "the users' file"),
      ("  two \n lines\t ", "two lines"),
      ("Datei nicht gefunden: Übersicht", "Datei nicht gefunden: Übersicht"),
      ("a/b1/c2/d", "a/#/d"), ("", ""), ("7", "#"), ("\"\"", "…"),
    ])
  func patterns(text: String, pattern: String) {
    #expect(ErrorFingerprint.pattern(of: text) == pattern)
  }

  // Journals keep these: they never change.
  @Test(
    "A fingerprint is the same for ever",
    arguments: [
      ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ])
  func values(text: String, digits: String) {
    #expect(ErrorFingerprint(of: text).description == digits)
  }

  @Test("It differs where words do, and is read back")
  func texts() throws {
    let first = ErrorFingerprint(of: "order 1 timed out")
    #expect(first == ErrorFingerprint(of: "order  22 timed out"))
    #expect(first != ErrorFingerprint(of: "order 1 was refused"))
    #expect(ErrorFingerprint(first.description) == first)
    #expect(ErrorFingerprint(first.description.uppercased()) == first)
    for text in ["", "abc", "+000000000000000", "000000000000000g", "00000000000000000"] {
      #expect(ErrorFingerprint(text) == nil)
    }
    let long = String(repeating: "word ", count: 10_000)
    #expect(ErrorFingerprint(of: long) == ErrorFingerprint(of: long + "more"))
  }
}
