import FieldstoneCore
import FieldstoneFields
import Foundation
import Testing

@Suite("Rules of characters, and of parts")
struct CharacterRuleTests {
  @Test(
    "A text of other characters fails with the first of them",
    arguments: [
      ("", nil), ("Z9", nil), ("a-b", "-"), ("a b", "U+0020"), ("a\u{7}", "U+0007"),
      ("a\u{200B}", "U+200B"), ("a\n", "U+000A"), ("é", nil), ("a😀", "😀"),
    ] as [(String, String?)])
  func others(text: String, character: String?) {
    let code = Field<String>("Code").require(.characters(in: .letters.union(.digits)))
    code.value = text
    let issues = code.validate().issues
    #expect(issues.map(\.code) == (character == nil ? [] : ["wrongCharacter"]))
    #expect(issues.first?.parameters["character"] == character)
    #expect(issues.first?.english == character.map { "must not contain \($0)" })
    #expect(Field<String>().require(.characters(in: .digits)).codes(of: nil) == [])
  }

  @Test("A text without a character that it needs fails")
  func missing() {
    let password = Field<String>("Password")
      .require(.containsCharacter(in: .digits), message: "must contain a digit")
      .require(.containsCharacter(in: .letters.inverted))
    #expect(password.codes(of: "abc") == ["missingCharacter", "missingCharacter"])
    #expect(password.issues.map(\.english).first == "must contain a digit")
    #expect(password.codes(of: "abc1") == [])
  }

  @Test("Sets are asked about texts, joined and turned round")
  func sets() {
    #expect(
      FieldCharacters.digits.containsAll(of: "") && !FieldCharacters.digits.containsAny(of: ""))
    #expect(
      FieldCharacters.digits.containsAny(of: "a1") && !FieldCharacters.digits.containsAll(of: "a1"))
    #expect(FieldCharacters.digits.inverted.containsAll(of: "ab"))
    #expect(!FieldCharacters.digits.containsAny(of: "١"))
    #expect(!FieldCharacters.withoutControls.containsAll(of: "a\tb"))
    #expect(FieldCharacters.ascii.containsAll(of: "a~") && !FieldCharacters.ascii.contains("ä"))
    #expect(FieldCharacters(.uppercaseLetters).filter("aBcD") == "BD")
    #expect(FieldCharacters(.whitespaces).containsAny(of: "a b"))
  }

  @Test("A rule over a part judges what is made of the value")
  func part() {
    let title = Field<String>("Title").require(.of(\.trimmed, .length(1...3)))
    #expect(title.codes(of: "  abc  ") == [] && title.codes(of: "   ") == ["tooShort"])
    #expect(title.codes(of: nil) == [])
    let tags = Field<[String]>("Tags").require(.of({ Set($0).count }, .range(2...)))
    #expect(tags.codes(of: ["a", "a"]) == ["tooSmall"] && tags.codes(of: ["a", "b"]) == [])
    let year = Field<String>("Year").require(
      .of({ Int($0) }, .all([.range(1900...2100), .notNil])))
    #expect(year.codes(of: "1999") == [] && year.codes(of: "99") == ["tooSmall"])
    #expect(year.codes(of: "x") == ["required"] && year.codes(of: nil) == ["required"])
    let lax = Field<String>("Year").require(.of({ Int($0) }, .range(1900...2100)))
    #expect(lax.codes(of: "x") == [] && lax.codes(of: nil) == [])
  }

  @Test("A part that can't be made could not be validated")
  func throwing() {
    let field = Field<String>("Field").require(
      .of({ _ -> Int? in throw MessageError("no part") }, .range(0...1)))
    #expect(field.codes(of: "x") == ["couldNotValidate"])
    #expect(field.issues.first?.parameters["reason"] == "no part")
  }
}
