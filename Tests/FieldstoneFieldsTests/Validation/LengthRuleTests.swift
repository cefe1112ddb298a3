import FieldstoneFields
import Testing

@Suite("Rules of length and count")
struct LengthRuleTests {
  static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  @Test(
    "A closed range of lengths includes both ends",
    arguments: [(1, ["tooShort"]), (2, []), (3, []), (4, []), (5, ["tooLong"])])
  func closedRange(length: Int, codes: [String]) {
    #expect(Field<String>().require(.length(2...4)).codes(of: Self.text(length)) == codes)
  }

  @Test(
    "A half-open range of lengths ends before its upper bound",
    arguments: [(1, ["tooShort"]), (2, []), (3, []), (4, ["tooLong"])])
  func halfOpenRange(length: Int, codes: [String]) {
    #expect(Field<String>().require(.length(2..<4)).codes(of: Self.text(length)) == codes)
  }

  @Test("Ranges with one bound have its code", arguments: 0...4)
  func partialRanges(length: Int) {
    let text = Self.text(length)
    #expect(
      Field<String>().require(.length(2...)).codes(of: text) == (length < 2 ? ["tooShort"] : []))
    #expect(
      Field<String>().require(.length(...2)).codes(of: text) == (length > 2 ? ["tooLong"] : []))
    #expect(
      Field<String>().require(.length(..<2)).codes(of: text) == (length >= 2 ? ["tooLong"] : []))
    #expect(
      Field<String>().require(.length(...0)).codes(of: text) == (length > 0 ? ["tooLong"] : []))
    #expect(
      Field<String>().require(.length(..<1)).codes(of: text) == (length > 0 ? ["tooLong"] : []))
    #expect(
      Field<String>().require(.length(2)).codes(of: text) == (length != 2 ? ["wrongLength"] : []))
    #expect(
      Field<String>().require(.length(2...2)).codes(of: text)
        == (length != 2 ? ["wrongLength"] : []))
    #expect(
      Field<String>().require(.length(2..<3)).codes(of: text)
        == (length != 2 ? ["wrongLength"] : []))
  }

  @Test("Lengths are told in the right number, in both languages")
  func messages() {
    let two = Field<String>().require(.length(2...4))
    #expect(
      two.texts(of: "") == [
        "must have at least 2 characters", "muss mindestens 2 Zeichen haben",
      ])
    #expect(
      two.texts(of: "12345") == [
        "must have at most 4 characters", "darf höchstens 4 Zeichen haben",
      ])
    let one = Field<String>().require(.length(1...1))
    #expect(
      one.texts(of: "") == ["must have exactly 1 character", "muss genau 1 Zeichen haben"])
    let short = Field<String>().require(.length(1...))
    #expect(
      short.texts(of: "") == ["must have at least 1 character", "muss mindestens 1 Zeichen haben"])
    let long = Field<String>().require(.length(..<2))
    #expect(
      long.texts(of: "12") == ["must have at most 1 character", "darf höchstens 1 Zeichen haben"])
    let none = Field<String>().require(.length(...0))
    #expect(
      none.texts(of: "1") == ["must have at most 0 characters", "darf höchstens 0 Zeichen haben"])
  }

  @Test(
    "Characters are counted as people count them",
    arguments: [
      ("", 0), ("a", 1), ("Zürich", 6), ("Zu\u{308}rich", 6), ("👩‍👩‍👧‍👦", 1), ("🇦🇹🇩🇪", 2), ("a\r\nb", 3),
      ("\r\n\r\n", 2), ("\r\r\n\n", 3), ("e\u{301}\u{302}", 1), ("\u{0}", 1), ("日本語", 3),
      ("12345678\r\n", 9), ("123456789012345678901234567890\r\n", 31), ("12345678901234567é", 18),
      ("a\u{301}", 1), ("1234567\u{301}", 7), ("12345678\u{301}", 8),
    ])
  func characters(text: String, length: Int) {
    #expect(text.count == length)
    #expect(Field<String>().require(.length(length)).codes(of: text) == [])
    #expect(Field<String>().require(.length(length + 1)).codes(of: text) == ["wrongLength"])
    #expect(Field<String>().require(.length((length + 1)...)).codes(of: text) == ["tooShort"])
    #expect(Field<String>().require(.length(length...)).codes(of: text) == [])
    #expect(Field<String>().require(.length(...length)).codes(of: text) == [])
    #expect(
      Field<String>().require(.length(..<length)).codes(of: text) == ["tooLong"])
  }

  @Test("Bounds at the ends of the integers trap nowhere", arguments: ["", "a", "abc"])
  func ends(text: String) {
    #expect(Field<String>().require(.length(.min ... .max)).codes(of: text) == [])
    #expect(Field<String>().require(.length(.min ..< .max)).codes(of: text) == [])
    #expect(Field<String>().require(.length(Int.max...)).codes(of: text) == ["tooShort"])
    #expect(Field<String>().require(.length(...Int.min)).codes(of: text) == ["tooLong"])
    #expect(Field<String>().require(.length(..<Int.min)).codes(of: text) == ["tooLong"])
    #expect(Field<String>().require(.length(Int.max)).codes(of: text) == ["wrongLength"])
    #expect(Field<String>().require(.length(-1)).codes(of: text) == ["wrongLength"])
    #expect(Field<String>().require(.length(2..<2)).codes(of: text).count == 1)
    #expect(Field<[Int]>().require(.count(.min ..< .max)).codes(of: []) == [])
    #expect(Field<[Int]>().require(.count(..<Int.min)).codes(of: []) == ["tooMany"])
  }

  @Test("Items are counted in any collection, with codes and words of their own", arguments: 0...5)
  func counts(count: Int) {
    let items = Array(repeating: 7, count: count)
    let (few, many) = (count < 2, count > 4)
    #expect(
      Field<[Int]>().require(.count(2...4)).codes(of: items)
        == (few ? ["tooFew"] : many ? ["tooMany"] : []))
    #expect(
      Field<[Int]>().require(.count(2..<5)).codes(of: items)
        == (few ? ["tooFew"] : many ? ["tooMany"] : []))
    #expect(Field<[Int]>().require(.count(2...)).codes(of: items) == (few ? ["tooFew"] : []))
    #expect(Field<[Int]>().require(.count(...4)).codes(of: items) == (many ? ["tooMany"] : []))
    #expect(Field<[Int]>().require(.count(..<5)).codes(of: items) == (many ? ["tooMany"] : []))
    #expect(Field<[Int]>().require(.count(...0)).codes(of: items) == (count > 0 ? ["tooMany"] : []))
    #expect(
      Field<[Int]>().require(.count(3)).codes(of: items) == (count != 3 ? ["wrongCount"] : []))
    #expect(
      Field<[Int]>().require(.count(3..<4)).codes(of: items) == (count != 3 ? ["wrongCount"] : []))
    #expect(
      Field<Set<Int>>().require(.count(1)).codes(of: Set(items))
        == (count == 0 ? ["wrongCount"] : []))
  }

  @Test("Counts are told in the right number, in both languages")
  func countMessages() {
    #expect(
      Field<[Int]>().require(.count(1...)).texts(of: []) == [
        "must have at least 1 item", "muss mindestens 1 Eintrag haben",
      ])
    #expect(
      Field<[Int]>().require(.count(2...)).texts(of: []) == [
        "must have at least 2 items", "muss mindestens 2 Einträge haben",
      ])
    #expect(
      Field<[Int]>().require(.count(...1)).texts(of: [1, 2]) == [
        "must have at most 1 item", "darf höchstens 1 Eintrag haben",
      ])
    #expect(
      Field<[Int]>().require(.count(..<3)).texts(of: [1, 2, 3]) == [
        "must have at most 2 items", "darf höchstens 2 Einträge haben",
      ])
    #expect(
      Field<[Int]>().require(.count(1)).texts(of: []) == [
        "must have exactly 1 item", "muss genau 1 Eintrag haben",
      ])
    #expect(
      Field<[Int]>().require(.count(2)).texts(of: []) == [
        "must have exactly 2 items", "muss genau 2 Einträge haben",
      ])
  }
}
