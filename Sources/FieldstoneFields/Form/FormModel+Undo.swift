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
    history.record(
      FormHistory.Step(field: field, before: before, after: after), isFocused: focus === field,
      delivery: .current)
    updateHistory()
  }

  func updateHistory() {
    if canUndo == history.done.isEmpty { canUndo.toggle() }
    if canRedo == history.undone.isEmpty { canRedo.toggle() }
  }

  /// Puts fields back, as one batch.
  private func restore(_ snapshots: [(FormField, FormSnapshot)]) {
    let followers = setBack {
      for (field, snapshot) in snapshots {
        field.put(snapshot.value)
        field.putDrafts(of: snapshot)
      }
    }
    // Bindings may have set what follows another field in between.
    setBack { for (field, snapshot) in snapshots { field.put(snapshot.value) } }
    for (field, snapshot) in snapshots { field.putDrafts(of: snapshot) }
    for field in snapshots.map(\.0) + followers { followRestored(field) }
  }

  /// Sets fields without that counting as edits.
  ///
  /// - Returns: the fields of the form that have followed, such as those that are bound to others.
  @discardableResult
  func setBack(_ body: () -> Void) -> [FormField] {
    let wasRestoring = isRestoring
    isRestoring = true
    restoringDelivery = .current
    Fields.batch(body)
    isRestoring = wasRestoring
    defer { restored = [] }
    return restored
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
