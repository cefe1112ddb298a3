import FieldstoneCore

extension FormModel {
  /// Takes the last edit back: all that was typed while a field had the focus, or all that was set
  /// in one batch.
  ///
  /// What was typed comes back as it was typed, and what was validated is validated again. A
  /// successful submit forgets all edits.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func undo() -> Bool {
    guard let edit = history.undo() else { return false }
    restore(edit.steps.reversed().map { ($0.field, $0.before) })
    updateHistory()
    return true
  }

  /// Makes the edit again that was taken back last.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func redo() -> Bool {
    guard let edit = history.redo() else { return false }
    restore(edit.steps.map { ($0.field, $0.after) })
    updateHistory()
    return true
  }

  /// Takes an edit down.
  func record(_ field: FormField, before: FormSnapshot) {
    let after = field.snapshot
    guard !field.isSame(before, after) else { return }
    let context = DeliveryContext.current
    let delivery = FormHistory.Delivery(
      context: ObjectIdentifier(context), number: context.number)
    history.record(
      FormHistory.Step(field: field, before: before, after: after), isFocused: focus === field,
      delivery: context.isBusy ? delivery : nil)
    updateHistory()
  }

  func updateHistory() {
    if canUndo == history.done.isEmpty { canUndo.toggle() }
    if canRedo == history.undone.isEmpty { canRedo.toggle() }
  }

  /// Puts fields back, as one batch.
  private func restore(_ snapshots: [(FormField, FormSnapshot)]) {
    setBack {
      for (field, snapshot) in snapshots {
        field.draft = snapshot.draft
        field.itemDrafts = snapshot.itemDrafts
        if !field.reported.isEmpty { field.reported = [:] }
        field.adapter.set(snapshot.value, origin: .restoring)
        // A draft that could not be read stands beside the value that was there.
        field.draft = snapshot.draft
      }
    }
    for (field, snapshot) in snapshots {
      field.draft = snapshot.draft
      field.last = field.snapshot
      updateModified(field)
      if field.wasValidated || mayValidateNow(field) { validate(field) }
      checkRules(of: field)
      refresh(field)
    }
  }

  /// Sets fields without that counting as edits.
  func setBack(_ body: () -> Void) {
    isRestoring = true
    Fields.batch(body)
    isRestoring = false
  }
}

extension FormField {
  /// Whether two states of this field look the same.
  func isSame(_ left: FormSnapshot, _ right: FormSnapshot) -> Bool {
    left.draft?.text == right.draft?.text && adapter.areEqual(left.value, right.value)
      && left.value.items == right.value.items
      && left.itemDrafts.mapValues(\.text) == right.itemDrafts.mapValues(\.text)
  }
}
