import FieldstoneFields
import Testing

@Suite("Bounds of scalars")
struct ScalarLimitTests {
  /// One character of so many scalars.
  static func stacked(_ scalars: Int) -> String {
    "a" + String(repeating: "\u{301}", count: scalars - 1)
  }

  @Test(
    "A bound of characters bounds scalars as well, to ten times it and 32",
    arguments: [(42, []), (43, ["tooManyScalars"]), (400_000, ["tooManyScalars"])])
  func standard(scalars: Int, codes: [String]) {
    let text = Self.stacked(scalars)
    #expect(text.count == 1)
    #expect(Field<String>().require(.length(...1)).codes(of: text) == codes)
    #expect(Field<String>().require(.length(..<2)).codes(of: text) == codes)
    #expect(Field<String>().require(.length(0...1)).codes(of: text) == codes)
    #expect(Field<String>().require(.length(0..<2)).codes(of: text) == codes)
    #expect(Field<String>().require(.length(1)).codes(of: text) == codes)
    #expect(Field<String>().require(.length(1...)).codes(of: text) == [])
  }

  @Test("Flags, families and syllables are characters of few scalars")
  func legitimate() {
    for character in ["🇦🇹", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👩🏽‍❤️‍💋‍👨🏻", "क्ष्म्य", "é"] {
      let text = String(repeating: character, count: 50)
      #expect(Field<String>().require(.length(...text.count)).codes(of: text) == [], "\(character)")
    }
  }

  @Test("Too many characters are said before too many scalars")
  func both() {
    let text = String(repeating: "x", count: 1_000)
    #expect(Field<String>().require(.length(...3)).codes(of: text) == ["tooLong"])
    #expect(Field<String>().require(.length(2...3)).codes(of: Self.stacked(99)) == ["tooShort"])
  }

  @Test("The bound of scalars is given or taken away, and never overflows")
  func given() {
    let text = Self.stacked(100)
    #expect(Field<String>().require(.length(...1, scalars: .unlimited)).codes(of: text) == [])
    #expect(Field<String>().require(.length(1..., scalars: .atMost(100))).codes(of: text) == [])
    #expect(
      Field<String>().require(.length(1..., scalars: .atMost(99))).codes(of: text)
        == ["tooManyScalars"])
    #expect(
      Field<String>().require(.length(0..., scalars: .atMost(-1))).codes(of: "a")
        == ["tooManyScalars"])
    #expect(Field<String>().require(.length(...Int.max)).codes(of: text) == [])
    // Few bytes are many scalars where the bound is below that of the characters.
    #expect(
      Field<String>().require(.length(...9, scalars: .atMost(2))).codes(of: "abc")
        == ["tooManyScalars"])
  }

  @Test("It is said in both languages")
  func messages() {
    #expect(
      Field<String>().require(.length(...1)).texts(of: Self.stacked(50)) == [
        "has too many accents or other marks on its characters",
        "hat zu viele Akzente oder andere Zusätze an den Zeichen",
      ])
  }
}
