import FieldstoneFields
import Foundation
import Testing

@Suite("Rules of bounds and choices")
struct BoundsRuleTests {
  @Test(
    "A closed range holds from its lower to its upper bound",
    arguments: [(2, ["tooSmall"]), (3, []), (4, []), (5, []), (6, ["tooLarge"])])
  func closedRange(value: Int, codes: [String]) {
    #expect(Field<Int>().require(.range(3...5)).codes(of: value) == codes)
  }

  @Test(
    "A half-open range ends before its upper bound",
    arguments: [(2, ["tooSmall"]), (3, []), (4, []), (5, ["notLess"]), (6, ["notLess"])])
  func halfOpenRange(value: Int, codes: [String]) {
    #expect(Field<Int>().require(.range(3..<5)).codes(of: value) == codes)
  }

  @Test("Ranges with one bound are the bound", arguments: [-1, 0, 1])
  func partialRanges(value: Int) {
    #expect(Field<Int>().require(.range(0...)).codes(of: value).isEmpty == (value >= 0))
    #expect(Field<Int>().require(.range(...0)).codes(of: value).isEmpty == (value <= 0))
    #expect(Field<Int>().require(.range(..<0)).codes(of: value).isEmpty == (value < 0))
  }

  @Test("Single bounds have codes of their own", arguments: [2, 3, 4])
  func bounds(value: Int) {
    #expect(Field<Int>().require(.atLeast(3)).codes(of: value) == (value < 3 ? ["tooSmall"] : []))
    #expect(Field<Int>().require(.atMost(3)).codes(of: value) == (value > 3 ? ["tooLarge"] : []))
    #expect(
      Field<Int>().require(.greaterThan(3)).codes(of: value) == (value <= 3 ? ["notGreater"] : []))
    #expect(Field<Int>().require(.lessThan(3)).codes(of: value) == (value >= 3 ? ["notLess"] : []))
    #expect(Field<Int>().require(.range(3...)).codes(of: value) == (value < 3 ? ["tooSmall"] : []))
    #expect(Field<Int>().require(.range(...3)).codes(of: value) == (value > 3 ? ["tooLarge"] : []))
    #expect(Field<Int>().require(.range(..<3)).codes(of: value) == (value >= 3 ? ["notLess"] : []))
  }

  @Test("Messages are right at the boundary: at least is never called greater than")
  func messages() {
    let age = Field<Int>("Age")
    age.require(.range(3...5))
    #expect(age.texts(of: 2) == ["must be at least 3", "muss mindestens 3 sein"])
    #expect(age.texts(of: 6) == ["must be at most 5", "darf höchstens 5 sein"])
    let above = Field<Int>().require(.greaterThan(3))
    #expect(above.texts(of: 3) == ["must be greater than 3", "muss größer sein als 3"])
    let below = Field<Int>().require(.range(..<3))
    #expect(below.texts(of: 3) == ["must be less than 3", "muss kleiner sein als 3"])
    let half = Field<Int>().require(.range(3..<5))
    #expect(half.texts(of: 5) == ["must be less than 5", "muss kleiner sein als 5"])
    #expect(half.texts(of: 2) == ["must be at least 3", "muss mindestens 3 sein"])
  }

  @Test("The ends of the integers trap nowhere", arguments: [Int.min, -1, 0, 1, Int.max])
  func ends(value: Int) {
    #expect(Field<Int>().require(.range(.min ... .max)).codes(of: value) == [])
    #expect(
      Field<Int>().require(.range(.min ..< .max)).codes(of: value)
        == (value == .max ? ["notLess"] : []))
    #expect(
      Field<Int>().require(.range(..<Int.min)).codes(of: value) == ["notLess"])
    #expect(
      Field<Int>().require(.greaterThan(.max)).codes(of: value) == ["notGreater"])
    #expect(Field<Int>().require(.atLeast(.min)).require(.atMost(.max)).codes(of: value) == [])
    // No value is in an empty range.
    #expect(Field<Int>().require(.range(0..<0)).codes(of: value).count == 1)
  }

  @Test("What compares with nothing fails each bound, and is too small for a range")
  func notANumber() {
    let nan = Double.nan
    #expect(Field<Double>().require(.range(0...1)).codes(of: nan) == ["tooSmall"])
    #expect(Field<Double>().require(.range(0..<1)).codes(of: nan) == ["tooSmall"])
    #expect(Field<Double>().require(.atLeast(0)).codes(of: nan) == ["tooSmall"])
    #expect(Field<Double>().require(.atMost(0)).codes(of: nan) == ["tooLarge"])
    #expect(Field<Double>().require(.greaterThan(0)).codes(of: nan) == ["notGreater"])
    #expect(Field<Double>().require(.lessThan(0)).codes(of: nan) == ["notLess"])
    #expect(Field<Double>().require(.range(0...)).codes(of: .infinity) == [])
    #expect(Field<Double>().require(.range(0...1)).codes(of: .infinity) == ["tooLarge"])
    #expect(Field<Double>().require(.range(0...1)).codes(of: -.infinity) == ["tooSmall"])
    #expect(Field<Double>().require(.range(0...1)).codes(of: -0.0) == [])
  }

  @Test("Numbers are told as people write them, with the language's own comma")
  func numbers() {
    let latitude = Field<Double>().require(.range(-90.5...90))
    #expect(latitude.texts(of: -91) == ["must be at least -90.5", "muss mindestens -90,5 sein"])
    #expect(latitude.texts(of: 91) == ["must be at most 90", "darf höchstens 90 sein"])
    let share = Field<Float>().require(.range(0...1))
    #expect(share.texts(of: 1.5) == ["must be at most 1", "darf höchstens 1 sein"])
    let price = Field<Decimal>().require(.atLeast(1.25))
    #expect(price.texts(of: 1) == ["must be at least 1.25", "muss mindestens 1,25 sein"])
  }

  @Test("Anything comparable can have bounds")
  func comparable() {
    let day = Date(timeIntervalSinceReferenceDate: 0)
    let field = Field<Date>().require(.atLeast(day))
    #expect(field.codes(of: day) == [])
    #expect(field.codes(of: day - 1) == ["tooSmall"])
    #expect(Field<String>().require(.range("b"..."d")).codes(of: "a") == ["tooSmall"])
  }

  @Test("One of some values, which are listed in their order")
  func oneOf() {
    let zone = Field<String>().require(.oneOf("UTC", "CET"))
    #expect(zone.codes(of: "CET") == [])
    #expect(zone.codes(of: "cet") == ["notAllowed"])
    #expect(
      zone.texts(of: "") == ["must be one of: UTC, CET", "muss eines von diesen sein: UTC, CET"])
    let digits = Field<Int>().require(.oneOf(1...3))
    #expect(digits.codes(of: 3) == [])
    #expect(digits.codes(of: 0) == ["notAllowed"])
    #expect(Field<Int>().require(.oneOf([Int]())).codes(of: 0) == ["notAllowed"])
  }

  @Test("Equal texts are the same choice, however they are written in Unicode")
  func canonicalChoice() {
    let many = (0..<40).map { "choice \($0)" }
    for values in [["caf\u{E9}"], many + ["caf\u{E9}"]] {
      let field = Field<String>().require(.oneOf(values))
      #expect(field.codes(of: "cafe\u{301}") == [])
      #expect(field.codes(of: "cafe") == ["notAllowed"])
      #expect(field.codes(of: values[0]) == [])
    }
  }

  @Test("Not nil refuses nil, and all other ready rules accept it")
  func nilValue() {
    #expect(Field<Int>().require(.notNil).codes(of: nil) == ["required"])
    #expect(Field<Int>().require(.notNil).codes(of: 0) == [])
    #expect(Field<Int>().require(.notNil).validate().issues.map(\.code) == ["required"])
    #expect(Field<String>().require(.notBlank).codes(of: nil) == ["required"])
    #expect(Field<Int>().require(.notNil).texts(of: nil) == ["is required", "wird gebraucht"])
    let lenient = Field<Int>().require(.range(1...2)).require(.range(1..<2)).require(.atLeast(1))
      .require(.atMost(1)).require(.greaterThan(1)).require(.lessThan(1)).require(.oneOf(1))
    #expect(lenient.codes(of: nil) == [])
    let text = Field<String>().require(.length(3)).require(.pattern(/a/)).require(.email)
      .require(.url)
    #expect(text.codes(of: nil) == [])
    #expect(Field<[Int]>().require(.count(1...)).codes(of: nil) == [])
  }
}
