import FieldstoneCore
import FieldstoneFields
import FieldstoneForms
import Foundation

/// A form with a field of each kind.
@MainActor
final class PersonForm {
  let name = Field<String>("Name", key: "name").require(.notNil).require(.notBlank)
    .presented(help: "As in the passport.", placeholder: "Ada", contentType: .name)
  let email = Field<String>("Email", key: "email").presented(as: .email)
  let age = Field<Int>("Age", key: "age").require(.range(0...150))
  let height = Field<Double>("Height", key: "height")
  let password = Field<String>("Password", key: "password")
    .presented(as: .secure, contentType: .newPassword)
  let isPilot = Field<Bool>("Pilot", key: "isPilot")
  let color = Field<String>("Colour", key: "color")
    .presented(as: .choice([FieldOption("r", label: "Red"), FieldOption("g", label: "Green")]))
    .text(as: .emptyIsNil)
  let born = Field<Date>("Born", key: "born").transform(with: .iso8601)
  let notes = Field<String>("Notes", key: "notes").presented(as: .multiline(lines: 4))
  let tags = ArrayField(Field<String>("Tag").require(.length(...5)), name: "Tags", key: "tags")
  let scores = ArrayField(Field<Int>("Score"), name: "Scores", key: "scores")

  let form: FormModel

  init(timing: FormTiming = .onSubmit) {
    let (name, email, age, height, password) = (name, email, age, height, password)
    let (isPilot, color, born, notes, tags, scores) = (isPilot, color, born, notes, tags, scores)
    form = FormModel(timing: timing) {
      FormSection("Person") {
        name
        email
        age
        height
        password
      }
      FormSection {
        isPilot
        color
        born
      }
      FormSection("More") {
        notes
        tags
        scores
      }
    }
  }
}
