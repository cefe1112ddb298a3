#if INSPECTOR
  import FieldstoneFields
  import FieldstoneForms
  import Observation

  /// A weak reference to a field; fields are not `Sendable`.
  @MainActor
  final class WeakField {
    private(set) weak var field: AnyField?

    init(_ field: AnyField) {
      self.field = field
    }
  }

  /// Records each change of a form field's text, using observation.
  @MainActor
  final class FieldFollower {
    private weak var field: FormField?
    private weak var book: WatchBook?
    private let note: @MainActor (_ old: String, _ new: String) -> Void
    private var last: String

    init(
      _ field: FormField, _ book: WatchBook,
      note: @escaping @MainActor (_ old: String, _ new: String) -> Void
    ) {
      self.field = field
      self.book = book
      self.note = note
      last = field.text
    }

    func follow() {
      guard let field, book != nil else { return }
      let text = withObservationTracking {
        field.text
      } onChange: {
        Task { @MainActor in self.follow() }
      }
      guard text != last else { return }
      let old = last
      last = text
      note(old, text)
    }
  }

  /// The values of fields in words.
  enum FieldText {
    /// Whether the text of a field must not be shown.
    @MainActor
    static func isSecret(_ field: FormField, _ rule: RedactionRule) -> Bool {
      if case .secure = field.kind { return true }
      return rule.hides(field.key) || rule.hides(field.field.name)
    }

    /// The value on one line.
    static func value(_ value: Any?, _ reader: ValueReader, _ name: String) -> String {
      guard let value else { return "nil" }
      return reader.redaction.hides(name) ? "•••" : reader.line(of: value)
    }

    static func change(
      from old: Any?, to new: Any?, _ reader: ValueReader, _ name: String
    ) -> String {
      value(old, reader, name) + " → " + value(new, reader, name)
    }
  }
#endif
