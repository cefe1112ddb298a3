#if INSPECTOR
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms

  /// What a page shows of the value of a field, copied where the field lives.
  struct FieldCopy<Value: Equatable & Sendable>: Sendable {
    private let phase: LoadPhase<Value?>
    let value: Value?
    private let isSecure: Bool
    /// The names of the field, and the one that it is watched under.
    private let names: [String]

    init(_ field: ReadableField<Value>, _ name: String) {
      (phase, value) = (field.phase, field.value)
      isSecure = field.isPresentedAsSecure
      names = [name, field.name, field.key]
    }

    var type: String { "\(Value.self)" }

    /// Whether the value must not be shown.
    func isSecret(_ rule: RedactionRule) -> Bool { isSecure || names.contains(where: rule.hides) }

    /// The state in a few words, and the value on one line.
    func headline(_ reader: ValueReader) -> WatchedHeadline {
      let detail = FieldText.value(value, reader, isSecret: isSecret(reader.redaction))
      switch phase {
      case .idle: return WatchedHeadline(phase: "not loaded")
      case .loading: return WatchedHeadline(phase: "loading", tone: .busy, detail: detail)
      case .loaded: return WatchedHeadline(phase: "loaded", tone: .good, detail: detail)
      case .failed(let error, _):
        return WatchedHeadline(phase: "failed", tone: .bad, detail: error.inWords)
      }
    }
  }

  /// What a form's field is called, which may be secret.
  struct FormFieldNames: Sendable {
    let key: String
    private let name: String
    /// Whether it is presented as secure.
    private let isSecure: Bool

    @MainActor
    init(_ field: FormField) {
      key = field.key
      name = field.field.name
      isSecure = field.kind.isSecure || field.field.isPresentedAsSecure
    }

    /// Whether its text must not be shown.
    func isSecret(_ rule: RedactionRule) -> Bool {
      isSecure || rule.hides(name) || rule.hides(key)
    }
  }

  /// What a page shows of a form's field, copied on the main actor.
  ///
  /// Values are copied as they are: their texts are made elsewhere, because they may be of any size
  /// and their code may be slow.
  struct FormFieldCopy: Sendable {
    let names: FormFieldNames
    /// Makes the beginning of its text.
    let text: @Sendable (_ length: Int) -> String
    /// Makes its value as JSON.
    let json: @Sendable () -> JSONValue?
    let state: ValidationState
    let issues: [FieldIssue]
    let standing: RuleStanding?
    let isFocused: Bool
    let isRequired: Bool
    let isTouched: Bool
    let isModified: Bool

    @MainActor
    init(_ field: FormField) {
      names = FormFieldNames(field)
      text = field.laterText
      json = field.field.laterJSON
      state = field.state
      issues = field.issues
      standing = field.field.ruleStanding
      isFocused = field.isFocused
      isRequired = field.isRequired
      isTouched = field.isTouched
      isModified = field.isModified
    }

    var key: String { names.key }

    /// Its row among the fields of the form.
    func row(_ reader: ValueReader, _ messages: FieldMessages) -> [String] {
      let isSecret = names.isSecret(reader.redaction)
      let (text, json) = (text(200), json())
      var marks: [String] = []
      if isFocused { marks.append("focused") }
      if isRequired { marks.append("required") }
      if isTouched { marks.append("touched") }
      if isModified { marks.append("modified") }
      return [
        key, isSecret ? (text.isEmpty ? "" : RedactedJSON.dots) : text,
        isSecret
          ? (json == nil ? "nil" : RedactedJSON.dots) : json.map { reader.line(of: $0) } ?? "nil",
        WatchedState.name(of: state),
        issues.prefix(10).map(messages.text(for:)).joined(separator: " "),
        marks.joined(separator: ", "),
      ]
    }
  }
#endif
