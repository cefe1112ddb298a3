import Fieldstone
import Foundation
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
    let tags = ArrayField(Field<String>("Tag").require(.length(1...20)), name: "Tags")
      .require(.count(...5))
    // end
    tags.value = ["", "a", "b", "c", "d", "e"]
    tags.validate()
    #expect(tags.issues.map(\.code) == ["tooMany", "tooShort"])
    #expect(tags.issues.map(\.path) == [[], ["0"]])
  }

  @Test("Rules of characters, and of parts")
  func parts() {
    // snippet: validation-parts
    let code = Field<String>("Code").require(.characters(in: .letters.union(.digits)))
    let title = Field<String>("Title").require(.of(\.trimmed, .length(1...20)))
    let password = Field<String>("Password")
      .require(.containsCharacter(in: .digits), message: "must contain a digit")
    // end
    code.value = "LOW-W"
    title.value = "  "
    password.value = "abc"
    for field in [code, title, password] { field.validate() }
    #expect(code.issues.map(\.text) == ["must not contain -"])
    #expect(title.issues.map(\.text) == ["must have at least 1 character"])
    #expect(password.issues.map(\.text) == ["must contain a digit"])
  }

  @Test("Rules of a form about items")
  func formItems() async {
    let legs = ArrayField(Field<Int>("Leg"), name: "Legs", value: [300, 900])
    let range = Field<Int>("Range", value: 500)
    let form = FormModel {
      range
      legs
    }
    // snippet: validation-items
    form.require(legs, range, atItemsOf: legs, message: "is too far") { legs, range in
      (legs ?? []).indices.filter { (legs ?? [])[$0] > range ?? .max }
    }
    // end
    #expect(await !form.validate())
    #expect(form["Legs"]?.items.map { $0.issues.map(\.text) } == [[], ["is too far"]])
  }

  @Test("Decimals of a language")
  func decimals() {
    // snippet: validation-decimal
    let height = Field<Double>("Height").text(as: .decimal(locale: Locale(identifier: "de_DE")))
    let depth = Field<Double>("Depth")  // a point, and no marks between thousands
    // end
    let form = FormModel {
      height; depth
    }
    for field in form.fields { field.text = "1,908" }
    #expect(height.value == 1.908 && depth.value == nil)
    #expect(form["Depth"]?.messages == ["can mean 1.908 or 1908; type the one that is meant"])
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
