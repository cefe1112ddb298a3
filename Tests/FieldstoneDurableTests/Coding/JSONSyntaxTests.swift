import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("What a journal takes as JSON")
struct JSONSyntaxTests {
  static let texts = [
    "null", " true\n", "\tfalse\r", "0", "-0", "-12.50e+3", "1E5", "12345678901234567890.1",
    "1e308", "1e-999",
    "\"\"", #""\"\\\/\b\f\n\r\t\u00e4\uD83D\ude00""#, "\"ä😀\u{2028}\"", "[]", "{}", " [ ] ",
    " { } ",
    "[1,[2,{}],\"]\"]", #"{"":{"a":[null]},"a":1,"a":2}"#,
    String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
  ]

  static let others = [
    "", " ", "nul", "nulls", "True", "NaN", "Infinity", "+1", "01", "-", "1.", ".5", "1e", "1e+",
    "1e400", "-1e309", String(repeating: "9", count: 400),
    "0x1",
    "'a'", "\"", "\"a", "\"\n\"", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#,
    #""\uD83D""#, #""\uD83D\n""#, #""\uDE00\uD83D""#, #""\uD83D\uD83D""#, "\"\\", "[", "]", "[1",
    "[1,",
    "[,1]", "[1,]", "[1 2]", "[1}", "{", "}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
    #"{"a" 1}"#,
    #"{"a":1 "b":2}"#, #"{"a":1]"#, "{a:1}", "{1:1}", "1 2", "1,", "[]]", "// a\n1", "1 /* a */",
    "\u{FEFF}1", "1\0", "\u{A0}1",
    String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
    String(repeating: "[", count: 100_000), String(repeating: #"{"a":"#, count: 100_000),
  ]

  private func takes(_ payload: Data) async throws -> Bool {
    let journal = InMemoryJournal()
    let time = ManualTime()
    let now = JournalTime(time.source, boot: "boot")
    var random = SeededGenerator(seed: 1)
    let start = RunStart(
      id: RunID(at: time.now, using: &random), flow: "flow", version: 1, payload: Data("1".utf8))
    _ = try await journal.start(start, at: now)
    do {
      _ = try await journal.signal(
        start.id, SignalRecord(id: "1", name: "go", payload: payload, sentAt: now.date), at: now)
      return true
    } catch JournalError.notJSON {
      return false
    }
  }

  @Test("Text of RFC 8259 is taken", arguments: texts)
  func valid(text: String) async throws {
    #expect(try await takes(Data(text.utf8)))
  }

  @Test(
    "What other programs would refuse is no JSON, also where Foundation reads it", arguments: others
  )
  func invalid(text: String) async throws {
    #expect(try await !takes(Data(text.utf8)))
  }

  @Test(
    "Only UTF-8 is JSON",
    arguments: [
      Data([0x22, 0xFF, 0x22]), Data([0x22, 0xC3]), Data([0x22, 0xED, 0xA0, 0x80, 0x22]),
      Data([0x31, 0x00]), Data([0xFF, 0xFE, 0x31, 0x00]), Data([0x00, 0x00, 0x00, 0x31]),
    ])
  func encodings(bytes: Data) async throws {
    #expect(try await !takes(bytes))
  }

  @Test("A text of a megabyte is read once, whatever its values are")
  func large() async throws {
    for text in [
      "[" + String(repeating: "1,", count: 500_000) + "1]",
      "\"" + String(repeating: "a", count: 1_000_000) + "\"",
      "[" + String(repeating: "[],", count: 300_000) + "0]",
    ] {
      #expect(try await takes(Data(text.utf8)))
      #expect(try await !takes(Data((text + "]").utf8)))
    }
  }
}
