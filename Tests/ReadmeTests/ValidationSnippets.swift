import Fieldstone
import Testing

@Suite("Articles: validation")
@MainActor
struct ValidationSnippets {
  @Test("Rules of a field")
  func rules() {
    // snippet: validation
    let age = Field<Int>("Age").require(.range(0...150)).require { $0 % 2 == 0 }
    age.value = 151
    age.validate()  // .invalid, with two issues
    let texts = age.issues.map(\.text)  // "must be at most 150", "is not valid"
    // end
    #expect(texts == ["must be at most 150", "is not valid"])
  }

  @Test("Rules of items, and of their number")
  func items() {
    // snippet: validation-array
    let tags = (*Field<String>("Tags").require(.length(1...20))).require(.count(...5))
    // end
    tags.value = ["", "a", "b", "c", "d", "e"]
    tags.validate()
    #expect(tags.issues.map(\.code) == ["tooMany", "tooShort"])
    #expect(tags.issues.map(\.path) == [[], ["0"]])
  }

  @Test("Words of an app, and in German")
  func messages() {
    let code = Field<String>("Code").require(message: "is taken") { _ in false }
    code.value = "LOWW"
    code.validate()
    // snippet: validation-messages
    var german = FieldMessages.german
    german.phrases["is taken"] = "ist schon vergeben"
    let texts = code.issues.map(german.text(for:))  // "ist schon vergeben"
    // end
    #expect(texts == ["ist schon vergeben"])
  }
}
