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

    /// The state of a field that is watched under a name, copied where the field lives.
    static func of(
      _ field: ReadableField<some Equatable & Sendable>, _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      let copy = FieldCopy(field, name)
      return { copy.headline(reader) }
    }
  }

  extension WatchedState {
    /// The number of fields that are shown at once.
    private static let shownFields = 50

    /// The state of a form, copied on the main actor.
    ///
    /// - Parameter from: the position of the first field that is shown.
    @MainActor
    static func of(
      _ form: FormModel, _ reader: ValueReader, from: Int
    ) -> @Sendable () -> Self {
      let (headline, messages, issues) = (WatchedHeadline(form), form.messages, form.issues)
      let count = form.fields.count
      let first = from < count ? max(from, 0) : 0
      let shown = first..<min(first + shownFields, count)
      let sections = form.sections.map { section in
        (section.title, section.fields.filter { shown ~= $0.position }.map(FormFieldCopy.init))
      }
      let (undo, redo) = (form.undoSteps(atMost: shownEdits), form.redoSteps(atMost: shownEdits))
      var edited: [Int: FormFieldNames] = [:]
      for step in (undo.edits + redo.edits).flatMap(\.steps) where edited[step.field] == nil {
        edited[step.field] = FormFieldNames(form.fields[step.field])
      }
      let facts = [
        Fact(name: "Modified", text: "\(form.modifiedCount) of \(count) fields"),
        Fact(name: "Invalid", text: "\(form.invalidCount)"),
        Fact(name: "Focus", text: form.focusedField?.key ?? "none"),
        Fact(name: "Undo", text: "\(undo.count) edits"),
        Fact(name: "Redo", text: "\(redo.count) edits"),
      ]
      return { [edited] in
        var state = Self(headline: headline, facts: facts)
        state.add(issues, messages)
        for (title, fields) in sections where !fields.isEmpty || count <= shownFields {
          state.tables.append(
            Table(
              title: title.isEmpty ? "Fields" : title,
              columns: ["Field", "Text", "Value", "State", "Issues", "Marks"],
              rows: fields.map { $0.row(reader, messages) }, note: nil))
        }
        state.addParts(shown, of: count)
        let fields = sections.flatMap(\.1)
        if let rules = Self.rules(of: fields) { state.tables.append(rules) }
        state.tables += Self.eachRule(of: fields)
        state.tables += Self.table("Undo", of: undo, edited, reader)
        state.tables += Self.table("Redo", of: redo, edited, reader)
        return state
      }
    }

    /// Adds links to the fields before and after those that are shown.
    private mutating func addParts(_ shown: Range<Int>, of count: Int) {
      guard shown.count < count, let last = tables.indices.last else { return }
      tables[last].note = """
        \(shown.count) of \(count) fields are shown, from number \(shown.lowerBound) on.
        """
      if shown.lowerBound > 0 {
        let earlier = max(shown.lowerBound - Self.shownFields, 0)
        tables[last].parts.append(Part(title: "Earlier fields", from: earlier))
      }
      if shown.upperBound < count {
        tables[last].parts.append(Part(title: "Further fields", from: shown.upperBound))
      }
    }

    /// The state of a field that is watched under a name, copied where the field lives.
    static func of(
      _ field: ReadableField<some Equatable & Sendable>, _ reader: ValueReader, _ name: String
    ) -> @Sendable () -> Self {
      let copy = FieldCopy(field, name)
      let (revision, state, issues) = (field.revision, field.validationState, field.issues)
      let (standing, observers) = (field.ruleStanding, field.observerCount)
      return {
        var shown = Self(headline: copy.headline(reader))
        shown.facts += [
          Fact(name: "Type", text: copy.type),
          Fact(name: "Revision", text: "\(revision)"),
          Fact(name: "Validation", text: Self.name(of: state)),
          Fact(name: "Rules", text: standing.map(RuleText.line) ?? "none"),
          Fact(name: "Observers", text: "\(observers)"),
        ]
        shown.add(issues, .current)
        if let value = copy.value {
          let text = copy.isSecret(reader.redaction) ? RedactedJSON.dots : reader.text(of: value)
          shown.values.append(Value(title: "Value", text: text))
        }
        return shown
      }
    }

    /// Adds a fact with the first issues, if there are any.
    private mutating func add(_ issues: [FieldIssue], _ messages: FieldMessages) {
      if issues.isEmpty { return }
      let texts = issues.prefix(20).map(messages.text(for:))
      facts.append(Fact(name: "Issues", text: texts.joined(separator: " ")))
    }

    /// The name of a validation state's case.
    static func name(of state: ValidationState) -> String {
      String("\(state)".prefix { $0 != "(" })
    }
  }
#endif
