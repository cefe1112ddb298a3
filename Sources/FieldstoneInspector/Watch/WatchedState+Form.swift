#if INSPECTOR
  import FieldstoneCore
  import FieldstoneFields
  import FieldstoneForms

  extension WatchedHeadline {
    @MainActor
    init(_ form: FormModel) {
      let tone: TimelineEntry.Tone =
        switch form.phase {
        case .editing: form.invalidCount > 0 ? .bad : .plain
        case .validating, .submitting: .busy
        case .submitted: .good
        }
      var parts: [String] = []
      if form.modifiedCount > 0 { parts.append("\(form.modifiedCount) modified") }
      if form.invalidCount > 0 { parts.append("\(form.invalidCount) invalid") }
      self.init(
        phase: "\(form.phase)", tone: tone,
        detail: parts.isEmpty ? nil : parts.joined(separator: ", "))
    }

    init<Value>(_ field: ReadableField<Value>, _ reader: ValueReader, _ name: String) {
      let isSecret = FieldText.isSecret(field, reader.redaction, watchedAs: name)
      let value = FieldText.value(field.value, reader, isSecret: isSecret)
      switch field.phase {
      case .idle: self.init(phase: "not loaded")
      case .loading: self.init(phase: "loading", tone: .busy, detail: value)
      case .loaded: self.init(phase: "loaded", tone: .good, detail: value)
      case .failed(let error, _):
        self.init(phase: "failed", tone: .bad, detail: error.inWords)
      }
    }
  }

  extension WatchedState {
    @MainActor
    init(_ form: FormModel, _ reader: ValueReader) {
      self.init(headline: WatchedHeadline(form))
      facts += [
        Fact(name: "Modified", text: "\(form.modifiedCount) of \(form.fields.count) fields"),
        Fact(name: "Invalid", text: "\(form.invalidCount)"),
        Fact(name: "Focus", text: form.focusedField?.key ?? "none"),
        Fact(name: "Undo", text: "\(form.undoKeys.count) edits"),
        Fact(name: "Redo", text: "\(form.redoKeys.count) edits"),
      ]
      if !form.issues.isEmpty {
        let messages = form.messages
        facts.append(
          Fact(
            name: "Issues",
            text: form.issues.prefix(20).map(messages.text(for:)).joined(separator: " ")))
      }
      for section in form.sections {
        tables.append(
          Table(
            title: section.title.isEmpty ? "Fields" : section.title,
            columns: ["Field", "Text", "Value", "State", "Issues", "Marks"],
            rows: section.fields.map { Self.row($0, reader) }, note: nil))
      }
      if let rules = Self.rules(of: form.fields) { tables.append(rules) }
      let edits = form.undoKeys
      if !edits.isEmpty {
        tables.append(
          Table(
            title: "Edits", columns: ["#", "Fields"],
            rows: edits.suffix(20).enumerated().reversed().map { index, keys in
              ["\(max(edits.count - 20, 0) + index + 1)", keys.joined(separator: ", ")]
            }, note: "Undo takes back the first."))
      }
    }

    @MainActor
    private static func row(_ field: FormField, _ reader: ValueReader) -> [String] {
      let isSecret = FieldText.isSecret(field, reader.redaction)
      let json: JSONValue? = try? field.field.exportValue()
      var marks: [String] = []
      if field.isFocused { marks.append("focused") }
      if field.isRequired { marks.append("required") }
      if field.isTouched { marks.append("touched") }
      if field.isModified { marks.append("modified") }
      return [
        field.key,
        isSecret ? (field.text.isEmpty ? "" : "•••") : String(field.text.prefix(200)),
        isSecret ? (json == nil ? "nil" : "•••") : json.map { reader.line(of: $0) } ?? "nil",
        Self.name(of: field.state), field.messages.prefix(10).joined(separator: " "),
        marks.joined(separator: ", "),
      ]
    }

    init<Value>(_ field: ReadableField<Value>, _ reader: ValueReader, _ name: String) {
      self.init(headline: WatchedHeadline(field, reader, name))
      facts += [
        Fact(name: "Type", text: "\(Value.self)"),
        Fact(name: "Revision", text: "\(field.revision)"),
        Fact(name: "Validation", text: Self.name(of: field.validationState)),
        Fact(name: "Rules", text: field.ruleStanding.map(RuleText.line) ?? "none"),
        Fact(name: "Observers", text: "\(field.observerCount)"),
      ]
      let messages = FieldMessages.current
      if !field.issues.isEmpty {
        facts.append(
          Fact(
            name: "Issues",
            text: field.issues.prefix(20).map(messages.text(for:)).joined(separator: " ")))
      }
      if let value = field.value {
        let isSecret = FieldText.isSecret(field, reader.redaction, watchedAs: name)
        let shown = isSecret ? RedactedJSON.dots : reader.text(of: value)
        values.append(WatchedState.Value(title: "Value", text: shown))
      }
    }

    /// The name of a validation state's case.
    static func name(of state: ValidationState) -> String {
      String("\(state)".prefix { $0 != "(" })
    }
  }
#endif
