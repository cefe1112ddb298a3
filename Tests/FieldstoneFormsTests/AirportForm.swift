import FieldstoneFields
import FieldstoneForms

/// The sketch of the design, as it is written there.
// swift-format-ignore
@MainActor final class AirportForm {
  let name = Field<String>("Name").require(.notBlank)
  let latitude = Field<Double>("Latitude").require(.range(-90...90))
  let tags = *Field<String>("Tag").require(.length(1...20))
  private(set) lazy var form = FormModel {
    FormSection("Airport") { name; latitude }
    FormSection("Tags") { tags }
  }
}
