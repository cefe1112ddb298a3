// snippet: first-form
import Fieldstone

@MainActor final class SignUp {
  let name = Field<String>("Name").require(.notBlank)
  let age = Field<Int>("Age").require(.notNil).require(.range(18...120))
  private(set) lazy var form = FormModel {
    FormSection("You") {
      name; age
    }
  }
}
// end
