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
    private let note: @MainActor (_ field: FormField, _ old: String, _ new: String) -> Void
    private var last: String

    init(
      _ field: FormField, _ book: WatchBook,
      note: @escaping @MainActor (_ field: FormField, _ old: String, _ new: String) -> Void
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
      note(field, old, text)
    }
  }

  /// The values of fields in words.
  enum FieldText {
    /// The value on one line.
    static func value(_ value: Any?, _ reader: ValueReader, isSecret: Bool) -> String {
      guard let value else { return "nil" }
      return isSecret ? RedactedJSON.dots : reader.line(of: value)
    }

    /// A change on one line, if that needs no reading of values.
    static func plainChange(
      from old: Any?, to new: Any?, _ reader: ValueReader, isSecret: Bool
    ) -> String? {
      func plain(_ value: Any?) -> String? {
        guard let value, !isSecret else { return Self.value(value, reader, isSecret: isSecret) }
        return reader.plainLine(of: value)
      }
      guard let old = plain(old), let new = plain(new) else { return nil }
      return old + " → " + new
    }
  }

  /// Whether the values of a field must not be shown: it is presented as secure, or one of its names
  /// is redacted.
  ///
  /// Its names are looked up at first and once they have changed: each change of the value waits for
  /// the answer.
  final class FieldSecrecy {
    private let rule: RedactionRule
    private let isWatchedAsSecret: Bool
    private var names: (name: String, key: String)?
    private var hasSecretName = false

    /// - Parameter name: the name under which the field is watched.
    init(_ rule: RedactionRule, watchedAs name: String? = nil) {
      self.rule = rule
      isWatchedAsSecret = name.map(rule.hides) ?? false
    }

    func hides(_ field: AnyField) -> Bool {
      let (name, key) = (field.name, field.key)
      if names?.name != name || names?.key != key {
        names = (name, key)
        hasSecretName = rule.hides(name) || rule.hides(key)
      }
      return isWatchedAsSecret || hasSecretName || field.isPresentedAsSecure
    }
  }
#endif
