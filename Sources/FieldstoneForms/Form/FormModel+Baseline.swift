import FieldstoneCore
public import FieldstoneFields
public import Foundation

extension FormModel {
  /// Puts back what the form was filled with, and forgets everything that has happened since.
  ///
  /// It is an edit by itself: ``undo()`` brings the values back.
  public func reset() {
    history.beginSession()
    let before = fields.map { ($0, $0.snapshot) }
    setBack {
      for field in fields {
        field.draft = nil
        field.itemDrafts = [:]
        field.put(field.baseline)
      }
    }
    // Bindings may have set what follows another field in between.
    setBack { for field in fields { field.put(field.baseline) } }
    for (field, snapshot) in before where !field.isSame(snapshot, field.snapshot) {
      let step = FormHistory.Step(field: field, before: snapshot, after: field.snapshot)
      history.record(step, isFocused: true, delivery: nil)
    }
    history.beginSession()
    beginAnew()
  }

  /// Makes the values as they are what the form counts as unmodified, as after saving.
  public func rebaseline() {
    for field in fields {
      field.baseline = field.adapter.value
      updateModified(field)
    }
  }

  /// Takes values that have come from outside, such as a newer version of what is edited.
  ///
  /// Fields that were not modified take the new value; those that were keep theirs, and count as
  /// modified against the new one.
  func rebaseline(setting set: () -> Void) {
    let kept = fields.filter(\.isModified).map { ($0, $0.snapshot) }
    func putBack() {
      for (field, snapshot) in kept {
        field.put(snapshot.value)
        field.putDrafts(of: snapshot)
      }
    }
    // In one batch, so that observers do not hear values that fields do not keep.
    let followers = setBack {
      let revisions = fields.map(\.field.revision)
      set()
      // What says nothing of a field leaves it as modified as it was.
      for (field, revision) in zip(fields, revisions) where field.field.revision != revision {
        field.baseline = field.adapter.value
      }
      putBack()
    }
    let keptFields = Set(kept.map { ObjectIdentifier($0.0) })
    for field in followers where !keptFields.contains(ObjectIdentifier(field)) {
      field.baseline = field.adapter.value
    }
    setBack(putBack)
    for field in fields {
      field.last = field.snapshot
      updateModified(field)
    }
    for field in followers { followRestored(field) }
  }

  /// Makes the values as they are the beginning of an edit.
  func beginEditing() {
    for field in fields { field.baseline = field.adapter.value }
    fillingCount += 1
    history.removeAll()
    beginAnew()
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
      field.field.removeIssues()
      field.field.forgetValidation()
      field.last = field.snapshot
      updateModified(field)
      refresh(field)
    }
    updateHistory()
  }

  // MARK: - Values

  /// Fills the form from values by key, and makes that the beginning of an edit, as
  /// ``fill(from:)`` does from a model.
  ///
  /// A key that is absent leaves its field untouched, null sets it to nil, and a malformed value
  /// leaves it as it is and gives it an issue.
  ///
  /// - Returns: what became of each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is filled.
  @discardableResult
  public func fill(values: [String: JSONValue]) throws(FieldModelError) -> ImportReport {
    let keyed = try KeyedFields(fields.map(\.field))
    var report = ImportReport()
    setBack { report = keyed.importing(ImportedObject(values: values)) }
    beginEditing()
    for issue in report.issues { addIssue(of: issue) }
    return report
  }

  /// Takes newer values by key: fields that were not modified take them; those that were keep
  /// theirs, and count as modified against the new ones.
  ///
  /// - Returns: what became of each field and each key.
  /// - Throws: when fields have no key or share one; then nothing is changed.
  @discardableResult
  public func rebaseline(values: [String: JSONValue]) throws(FieldModelError) -> ImportReport {
    let keyed = try KeyedFields(fields.map(\.field))
    var report = ImportReport()
    rebaseline { report = keyed.importing(ImportedObject(values: values)) }
    return report
  }

  /// Puts an issue of an import back that beginning anew has dropped.
  private func addIssue(of issue: FieldIssue) {
    var issue = issue
    guard let key = issue.path.first, let field = self[key] else { return }
    issue.path.removeFirst()
    field.field.addIssue(issue)
    refresh(field)
  }

  /// The values by key, for a request; never one of a field of which nothing is known.
  ///
  /// - Parameter nilExport: what is written for a field that is known to be nil.
  /// - Throws: when fields have no key or share one, or a value can't be written.
  public func values(nil nilExport: NilExport = .omitted) throws(FieldModelError)
    -> [String: JSONValue]
  {
    try KeyedFields(fields.map(\.field)).exporting(nil: nilExport)
  }

  /// The values as a JSON object, for the body of a request.
  ///
  /// - Parameter nilExport: what is written for a field that is known to be nil.
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
