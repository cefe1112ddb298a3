#if canImport(SwiftUI)
  import FieldstoneForms
  import Observation

  /// The texts in the lines for new items, until they are added.
  ///
  /// They belong to the form's view, which adds them when a line is left and before a submit.
  @MainActor
  @Observable
  final class NewItemTexts {
    private var texts: [FormField.ID: String] = [:]

    /// The text in the line of a field.
    subscript(field: FormField.ID) -> String {
      get { texts[field] ?? "" }
      set { texts[field] = newValue }
    }

    /// Forgets all texts, which belong to what was edited before.
    func removeAll() { texts = [:] }

    /// Adds the typed text as an item; a text that can't be read stays, with an issue at the field.
    ///
    /// - Returns: false if it can't be read.
    @discardableResult
    func add(to field: FormField) -> Bool {
      let text = self[field.id]
      if text.isEmpty {
        field.typeNewItem("")
        return true
      }
      guard field.appendItem(text) != nil else { return false }
      self[field.id] = ""
      return true
    }
  }
#endif
