#if DEBUG && canImport(SwiftUI) && canImport(DeveloperToolsSupport)
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms
  import SwiftUI

  #Preview("Waiting for the person") {
    StatefulView(ScreenModel(showing: ScreenKnowledge())) { Text(verbatim: "") }
  }

  #Preview("Loading") {
    StatefulView(ScreenModel(showing: ScreenKnowledge(isLoading: true))) { Text(verbatim: "") }
  }

  #Preview("No results") {
    StatefulView(ScreenModel(showing: ScreenKnowledge(content: .empty))) { Text(verbatim: "") }
  }

  #Preview("An error") {
    StatefulView(
      ScreenModel(showing: ScreenKnowledge(error: MessageError("There is no network.")))
    ) { Text(verbatim: "") }
  }

  #Preview("Values that could not be refreshed") {
    StatefulView(
      ScreenModel(
        showing: ScreenKnowledge(content: .some, error: MessageError("There is no network.")))
    ) {
      List(1..<20, id: \.self) { Text(verbatim: "Row \($0)") }
    }
  }

  #Preview("A form") {
    let form = FormModel {
      FormSection("Person") {
        Field<String>("Name").require(.notBlank)
        Field<String>("Phone").presented(as: .phone)
        Field<String>("Notes").presented(as: .multiline(lines: 3))
        Field<Bool>("Pilot")
        Field<Date>("Born").presented(as: .day)
      }
    }
    FormView(FormScreenModel(form) {})
  }
#endif
