import Fieldstone
import Foundation
import Testing

// snippet: fields-import
final class Person: FieldModel, Codable {
  let name = Field<String>("name")
  let born = Field<Date>("born").transform(with: .date(format: "yyyy-MM-dd"))
  let tags = ArrayField(Field<String>("tags"))
  var fields: [AnyField] { [name, born, tags] }

  init() {}
  init(from decoder: any Decoder) throws { try decodeFields(from: decoder) }
  func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}
// end

@Suite("README: fields")
struct FieldsSnippets {
  @Test("Observing")
  func observing() {
    // snippet: fields
    let age = Field<Int>("Age")
    var heard: [Int?] = []
    let registration = age.observe { heard.append($0.new) }  // now, and with each change
    age.value = 10
    age.value = 10  // equal: moves updatedAt, is not heard
    // heard is [nil, 10]; releasing the registration ends it
    // end
    #expect(heard == [nil, 10])
    withExtendedLifetime(registration) {}
  }

  @Test("Binding")
  func binding() throws {
    // snippet: fields-binding
    let (celsius, kelvin) = (Field<Double>(value: 20), Field<Double>())
    let (thermostat, display) = (Field<Double>(), Field<Double>())
    thermostat <--> celsius  // both ways; both are 20
    celsius --> display  // one way
    celsius.bind(to: kelvin) { $0 + 273.15 }
    let text = DerivedField(celsius, kelvin) { "\($0 ?? 0) °C, \($1 ?? 0) K" }
    thermostat.value = 0  // text.value is "0.0 °C, 273.15 K"

    try? Fields.transaction {
      celsius.value = -300
      if kelvin.value ?? 0 < 0 || celsius.value ?? 0 < -273.15 {
        throw MessageError("It does not get that cold.")
      }
    }  // taken back: celsius.value is 0, and nobody heard
    // end
    #expect(text.value == "0.0 °C, 273.15 K")
    #expect(celsius.value == 0 && display.value == 0)
  }

  @Test("Transformers by name")
  func namedTransformers() throws {
    // snippet: fields-named-transformers
    let born = Field<Date>("born")
      .transform(with: .date(format: "yyyy-MM-dd"))
      .transform(with: .date(format: "dd/MM/yyyy"), named: "legacy")
    born.importValue("10/12/1815", with: "legacy")
    let json = try born.exportValue()  // "1815-12-10"; a FieldModel takes the name as well
    // end
    #expect(json == "1815-12-10")
  }

  @Test("Importing")
  func importing() throws {
    // snippet: fields-import-use
    let person = Person()
    let report = try person.importJSON(Data(#"{"name": "Ada", "born": "long ago"}"#.utf8))
    // name is "Ada"; born is not touched but has an issue; tags were absent and are not known yet
    // end
    #expect(report.imported == ["name"] && report.issues.count == 1)
    #expect(person.name.value == "Ada" && !person.born.isKnown && !person.tags.isKnown)
    #expect(person.born.issues.count == 1)
  }
}
