import FieldstoneFields
import FieldstoneForms
import Testing

@Suite("Texts that look the same")
@MainActor
struct SameTextTests {
  /// One character, and two scalars that look like it.
  private let composed = "Z\u{FC}rich"
  private let decomposed = "Zu\u{308}rich"

  private func scalars(_ text: String?) -> Int? { text?.unicodeScalars.count }

  @Test("A text that is typed is taken as it is typed, also where the one before is equal to it")
  func typed() {
    #expect(composed == decomposed)
    let city = Field<String>("City", value: composed)
    let form = FormModel { city }
    let field = form.fields[0]
    field.text = decomposed
    #expect(scalars(field.text) == 7 && scalars(city.value) == 7)
    field.text = composed
    #expect(scalars(field.text) == 6 && scalars(city.value) == 6)
  }

  @Test("So is the text of an item, and a draft beside a value that looks the same")
  func items() {
    let cities = ArrayField(Field<String>("City"), name: "Cities", value: [composed])
    let code = Field<String>("Code", value: "\u{DC}").text(as: .uppercased)
    let form = FormModel {
      cities
      code
    }
    let field = form.at("Cities")
    field.setText(decomposed, of: field.items[0].id)
    #expect(scalars(cities.value?[0]) == 7 && scalars(field.items[0].text) == 7)
    // Upper case of what is typed: what is shown stays as it is typed.
    form.at("Code").text = "u\u{308}"
    #expect(scalars(code.value) == 2 && form.at("Code").text == "u\u{308}")
  }

  @Test("A text that is there already does nothing")
  func sameText() {
    let city = Field<String>("City", value: composed)
    let form = FormModel { city }
    let revision = city.revision
    form.fields[0].text = composed
    #expect(city.revision == revision && !form.fields[0].isEdited)
  }
}
