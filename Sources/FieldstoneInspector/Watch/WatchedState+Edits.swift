#if INSPECTOR
  import FieldstoneForms

  extension WatchedState {
    /// The maximum number of edits in a table, and of fields of each.
    static let shownEdits = 20

    /// The edits that can be undone or redone, each field of them in a row; none without edits.
    ///
    /// The texts of secrets are not made.
    static func table(
      _ title: String, of edits: FormEdits, _ fields: [Int: FormFieldNames], _ reader: ValueReader
    ) -> [Table] {
      if edits.count == 0 { return [] }
      var rows: [[String]] = []
      for (index, edit) in edits.edits.enumerated() {
        for step in edit.steps {
          let isSecret = fields[step.field]?.isSecret(reader.redaction) ?? true
          let (before, after) = (
            text(step.before, isSecret: isSecret, reader),
            text(step.after, isSecret: isSecret, reader)
          )
          rows.append(["\(index + 1)", step.key, before + " → " + after])
        }
        let rest = edit.stepCount - edit.steps.count
        if rest > 0 { rows.append(["\(index + 1)", "…", "and \(rest) more fields"]) }
      }
      return [
        Table(
          title: title, columns: ["Step", "Field", "Before → after"], rows: rows,
          note: edits.count > edits.edits.count
            ? "\(title) does step 1 next; the first \(edits.edits.count) of \(edits.count) are shown."
            : "\(title) does step 1 next.")
      ]
    }

    private static func text(
      _ state: FormEdits.State, isSecret: Bool, _ reader: ValueReader
    ) -> String {
      if isSecret { return RedactedJSON.dots }
      if let text = state.text { return "“\(text(200))”" }
      return reader.line(of: state.value)
    }
  }
#endif
