import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Strings and colours")
struct TextAndColorTests {
  @Test(
    "Trimmed text has no white space at its ends",
    arguments: [
      ("", ""), (" \n\t", ""), (" a b\n", "a b"), ("a", "a"), ("\u{A0}é\u{2028}", "é"),
    ])
  func trimmed(text: String, trimmed: String) {
    #expect(text.trimmed == trimmed)
  }

  @Test(
    "Colours are read as designs write them",
    arguments: [
      ("#0b5a9e", "#0b5a9e"), ("0B5A9E", "#0b5a9e"), ("#fff", "#ffffff"), ("abc8", "#aabbcc88"),
      ("#0b5a9eff", "#0b5a9e"), ("#00000000", "#00000000"),
    ])
  func colors(text: String, written: String) {
    #expect(HexColor(text)?.description == written)
  }

  @Test(
    "Anything else is no colour",
    arguments: ["", "#", "12", "12345", "#ggg", "##fff", "１２３", "+ff"])
  func noColor(text: String) {
    #expect(HexColor(text) == nil)
  }

  @Test("Every colour is read back as it was written")
  func roundTrip() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<1_000 {
      let number = UInt32.random(in: .min ... .max, using: &generator)
      let color = HexColor(
        red: UInt8(truncatingIfNeeded: number), green: UInt8(truncatingIfNeeded: number >> 8),
        blue: UInt8(truncatingIfNeeded: number >> 16),
        alpha: UInt8(truncatingIfNeeded: number >> 24))
      #expect(HexColor(color.description) == color)
    }
  }
}
