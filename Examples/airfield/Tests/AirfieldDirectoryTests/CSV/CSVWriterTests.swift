import Testing

@testable import AirfieldApp

@Suite("A CSV writer")
struct CSVWriterTests {
  static let lines: [(values: [String], line: String)] = [
    (["a", "b c", ""], "a,b c,\r\n"),
    ([""], "\"\"\r\n"),
    (["a,b", "c\"d", "e\nf", "g\rh"], "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\"\r\n"),
    (["e\r\nf"], "\"e\r\nf\"\r\n"),
    (["\"\u{301}"], "\"\"\"\u{301}\"\r\n"),
    ([",\u{301}"], "\",\u{301}\"\r\n"),
  ]

  @Test("quotes what needs it, and nothing else", arguments: lines)
  func quotes(_ values: [String], _ line: String) {
    #expect(Array(CSVWriter.line(values).utf8) == Array(line.utf8))
  }
}
