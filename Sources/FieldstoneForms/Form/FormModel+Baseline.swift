import FieldstoneCore
public import FieldstoneFields
public import Foundation

extension FormModel {
  /// Restores the form's baseline, and drops everything that has happened since.
  ///
  /// It is an edit of its own: ``undo()`` restores the values.
  public func reset() {
    recordForTransaction()
    history.beginSession()
    let before = fields.map { ($0, $0.snapshot) }
    setBack {
      for field in fields {
        field.draft = nil
        field.itemDrafts = [:]
        field.put(field.baseline)
      }
    }
    // Bindings may have set fields that follow another one meanwhile.
    setBack { for field in fields { field.put(field.baseline) } }
    for (field, snapshot) in before where !field.isSame(snapshot, field.snapshot) {
      let step = FormHistory.Step(field: field, before: snapshot, after: field.snapshot)
      history.record(step, isFocused: true, delivery: nil)
    }
    history.beginSession()
    beginAnew()
    noteRestored(fields, by: .reset)
  }

  /// Makes the current values the baseline, which counts as unmodified, as after saving.
  public func rebaseline() {
    recordForTransaction()
    for field in fields {
      field.baseline = field.adapter.value
      updateModified(field)
    }
  }

  /// Sets newer values from outside, such as a newer version of the edited model.
  ///
  /// Unmodified fields take the new value. Modified fields keep theirs, and count as modified
  /// against the new one.
  func rebaseline(setting set: () -> Void) {
    recordForTransaction()
    let kept = fields.filter(\.isModified).map { ($0, $0.snapshot) }
    func putBack() {
      for (field, snapshot) in kept {
        field.put(snapshot.value)
        field.putDrafts(of: snapshot)
      }
    }
    // In one batch, so that observers do not receive values that fields do not keep.
    var given: [(field: FormField, value: FormValue)] = []
    let followers = setBack {
      given = values(setBy: set)
      // A field that the new values omit stays as modified as it was.
      for (field, value) in given { moveBaseline(of: field, to: value) }
      putBack()
    }
    let ownFields = Set((kept.map(\.0) + given.map(\.field)).map(ObjectIdentifier.init))
    for field in followers where !ownFields.contains(ObjectIdentifier(field)) {
      moveBaseline(of: field, to: field.adapter.value)
    }
    // Bindings may have set fields that follow another one meanwhile.
    setBack {
      for (field, value) in given { field.put(value) }
      putBack()
    }
    for field in fields {
      field.last = field.snapshot
      updateModified(field)
    }
    noteRestored(kept.map(\.0) + given.map(\.field), by: .newerValues)
    for field in followers { followRestored(field) }
    updateHistory()
  }

  /// Gives a field a newer baseline, also in the history: an undo does not restore what is replaced.
  func moveBaseline(of field: FormField, to value: FormValue) {
    history.replace(field.baseline, of: field, with: value)
    field.baseline = value
  }

  /// Sets fields within a batch, and returns those that were set, before bindings set others.
  func values(setBy set: () -> Void) -> [(field: FormField, value: FormValue)] {
    let revisions = fields.map(\.field.revision)
    set()
    return zip(fields, revisions).compactMap { field, revision in
      field.field.revision == revision ? nil : (field, field.adapter.value)
    }
  }

  /// Makes the current values the beginning of an edit.
  ///
  /// - Parameter given: the fields that were given a value of their own.
  func beginEditing(with given: [FormField]) {
    recordForTransaction()
    for field in fields { field.baseline = field.adapter.value }
    fillingCount += 1
    history.removeAll()
    beginAnew()
    noteRestored(given, by: .filling)
  }

  private func beginAnew() {
    beginningCount += 1
    editCount += 1
    wasSubmitted = false
    if !phase.isBusy { phase = .editing }
    removeReports()
    rules.forget()
    ownFindings = FormFindings()
    for field in fields {
      field.draft = nil
      field.itemDrafts = [:]
      field.formFindings = FormFindings()
      field.isTouched = false
      field.touchedItems = []
      field.isEdited = false
      field.wasValidated = false
      field.refusedItem = nil
      field.field.removeIssues()
      field.field.forgetValidation()
      field.last = field.snapshot
      field.firstRevision = field.field.revision
      updateModified(field)
      refresh(field)
    }
    updateHistory()
  }

  // MARK: - Values

  /// Fills the form from values by key and begins a new edit, as ``fill(from:)`` does from a model.
  ///
  /// A field whose key is absent stays untouched, and null sets it to nil. A malformed value leaves
  /// the field as it is and gives it an issue.
  ///
  /// - Returns: the result for each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is filled.
  @discardableResult
  public func fill(values: [String: JSONValue]) throws(FieldModelError) -> ImportReport {
    let keyed = try KeyedFields(fields.map(\.field))
    var report = ImportReport()
    var given: [(field: FormField, value: FormValue)] = []
    setBack {
      given = self.values(setBy: { report = keyed.importing(ImportedObject(values: values)) })
    }
    // Bindings may have set fields that follow another one meanwhile.
    setBack { for (field, value) in given { field.put(value) } }
    beginEditing(with: given.map(\.field))
    for issue in report.issues { addIssue(of: issue) }
    return report
  }

  /// Sets newer values by key in the unmodified fields.
  ///
  /// Modified fields keep theirs, and count as modified against the new values. An ``undo()`` of
  /// their edits leads to the new values.
  ///
  /// - Returns: the result for each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is changed.
  @discardableResult
  public func rebaseline(values: [String: JSONValue]) throws(FieldModelError) -> ImportReport {
    let keyed = try KeyedFields(fields.map(\.field))
    var report = ImportReport()
    rebaseline { report = keyed.importing(ImportedObject(values: values)) }
    return report
  }

  /// Restores an issue of an import that the new edit has dropped.
  private func addIssue(of issue: FieldIssue) {
    var issue = issue
    guard let key = issue.path.first, let field = self[key] else { return }
    issue.path.removeFirst()
    field.field.addIssue(issue)
    refresh(field)
  }

  /// The values of the known fields by key, for a request.
  ///
  /// - Parameter nilExport: how a field is written that is known to be nil.
  /// - Throws: when fields have no key or share one, or a value can't be written.
  public func values(nil nilExport: NilExport = .omitted) throws(FieldModelError)
    -> [String: JSONValue]
  {
    try KeyedFields(fields.map(\.field)).exporting(nil: nilExport)
  }

  /// The values as a JSON object, for the body of a request.
  ///
  /// - Parameter nilExport: how a field is written that is known to be nil.
  /// - Throws: as ``values(nil:)`` does, and when a transformer made a value that JSON can't hold.
  public func json(nil nilExport: NilExport = .omitted) throws(FieldModelError) -> Data {
    let object = JSONValue.object(try values(nil: nilExport))
    do throws(JSONValueError) {
      return try object.data(formatting: .sortedKeys)
    } catch {
      throw .unwritable(error)
    }
  }
}
