import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import FieldstoneTesting
import Foundation
import Testing

@Suite("The text of a list")
@MainActor
struct ListTextTests {
  @Test("It is read as the items that it was made of", arguments: 1...20)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let texts = ArrayField(Field<String>("Text"), name: "Texts")
    let german = ArrayField(
      Field<Double>("Number").text(as: .decimal(separator: ",", grouping: ".")), name: "Numbers")
    let form = FormModel {
      texts; german
    }
    for _ in 0..<50 {
      let count = Int.random(in: 0...4, using: &random)
      let some = (0..<count).map { _ in
        String(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in
            "a,;b".randomElement(using: &random) ?? "a"
          })
      }
      texts.value = some
      let numbers = (0..<count).map { _ in Double(Int.random(in: 0...999, using: &random)) / 4 }
      german.value = numbers
      for field in form.fields {
        let shown = field.text
        // Another text with the same meaning, so that it is read.
        field.text = shown + " "
      }
      #expect(
        texts.value == some && german.value == numbers, "seed \(seed) \(form.at("Texts").text)")
    }
  }

  @Test(
    "Commas separate items, or semicolons where there are any",
    arguments: [
      ("a, b", ["a", "b"]), ("a,b,, c ,", ["a", "b", "c"]), ("a, b; c", ["a, b", "c"]),
      ("Vienna, Austria;", ["Vienna, Austria"]), ("a;; b; c", ["a; b", "c"]), (";", []),
    ])
  func split(text: String, items: [String]) {
    let texts = ArrayField(Field<String>("Text"), name: "Texts", value: ["x"])
    let form = FormModel { texts }
    form.at("Texts").text = text
    #expect(texts.value == items)
  }

  @Test("A decimal comma separates only before a space")
  func decimalCommas() {
    let numbers = ArrayField(
      Field<Double>("Number").text(as: .decimal(separator: ",", grouping: ".")), name: "Numbers",
      value: [1.5, 2.5])
    let form = FormModel { numbers }
    let field = form.at("Numbers")
    #expect(field.text == "1,5; 2,5")
    field.text = "1,5, 2,75"
    #expect(numbers.value == [1.5, 2.75] && field.text == "1,5, 2,75")
    field.text = "1,5"
    #expect(numbers.value == [1.5])
    field.text = "1, 2"
    #expect(numbers.value == [1, 2])
    field.text = "1,5,2"
    #expect(numbers.value == [1, 2] && field.codes == ["notANumber"])
  }
}
