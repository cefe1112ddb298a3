import FieldstoneFields
import Foundation
import Testing

@Suite("Named transformers")
struct NamedTransformerTests {
  final class Person: FieldModel, Codable {
    let name = Field<String>("name")
    let born = Field<Date>("born")
      .transform(with: .date(format: "yyyy-MM-dd"))
      .transform(with: .date(format: "dd/MM/yyyy"), named: "legacy")
    let days = *Field<Date>("days")
      .transform(with: .date(format: "yyyy-MM-dd"))
      .transform(with: .date(format: "dd/MM/yyyy"), named: "legacy")
    var fields: [AnyField] { [name, born, days] }

    init() {}
    init(from decoder: any Decoder) throws { try decodeFields(from: decoder, with: "legacy") }
    func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder, with: "legacy") }
  }

  private let legacy: [String: JSONValue] = [
    "name": "Ada", "born": "10/12/1815", "days": ["01/01/2001"],
  ]
  private let usual: [String: JSONValue] = [
    "name": "Ada", "born": "1815-12-10", "days": ["2001-01-01"],
  ]

  @Test("A model is imported in one form and exported in another")
  func models() throws {
    let person = Person()
    try person.importValues(legacy, with: "legacy")
    #expect(person.fields.allSatisfy { $0.issues.isEmpty })
    #expect(try person.exportValues() == usual)
    #expect(try person.exportValues(with: "legacy") == legacy)
    let other = Person()
    try other.importJSON(person.exportJSON(with: "legacy"), with: "legacy")
    #expect(other.born.value == person.born.value && other.days.value == person.days.value)
    let third = try JSONDecoder().decode(Person.self, from: JSONEncoder().encode(person))
    #expect(third.born.value == person.born.value)
  }

  @Test("A field without a transformer of the name uses its usual one, given or of its type")
  func fallback() throws {
    let person = Person()
    try person.importValues(usual, with: "elsewhere")
    #expect(person.fields.allSatisfy { $0.issues.isEmpty } && person.name.value == "Ada")
    #expect(try person.born.exportValue(with: "elsewhere") == "1815-12-10")
    #expect(person.born.importValue("1815-12-10", with: "legacy") != .imported)
    #expect(person.born.issues.map(\.code) == ["malformed"])
  }

  @Test("An array field's own transformer comes before that of its items, name by name")
  func arrays() throws {
    let joined = FieldTransformer<[Int]>.custom(
      name: "list", import: { _ in [1, 2] }, export: { _ in "1,2" })
    let own = (*Field<Int>("n")).transform(with: joined, named: "csv")
    own.importValue("1,2", with: "csv")
    #expect(own.value == [1, 2])
    #expect(try own.exportValue() == [1, 2])
    #expect(try own.exportValue(with: "csv") == "1,2")
    let inner =
      (*Field<Int>("n").transform(
        with: .custom(name: "text", import: { _ in 7 }, export: { .string("\($0)") }), named: "csv"))
      .transform(with: joined)
    inner.value = [3]
    #expect(try inner.exportValue(with: "csv") == ["3"])
    #expect(try inner.exportValue() == "1,2")
  }
}
