import FieldstoneCore

extension FormModel {
  /// Hears all that happens to a field, as long as the form lives.
  func follow(_ field: FormField) {
    field.form = self
    field.registration = field.field.observeValidation { [weak self, weak field] _ in
      if let field { self?.stateChanged(field) }
    }
    field.adapter.observe { [weak self, weak field] origin in
      guard let self, let field else { return DeliveryContext.noteOwnerIsGone() }
      valueChanged(field, origin: origin)
    }
  }

  /// Called for each change of a field's value, whoever made it.
  private func valueChanged(_ field: FormField, origin: ChangeOrigin) {
    dropDraft(of: field)
    let before = field.last
    field.last = field.snapshot
    if origin == .restoring || isRestoring {
      updateModified(field)
      return refresh(field)
    }
    record(field, before: before)
    edited(field)
    if mayValidateNow(field) { validate(field) }
    checkRules(of: field)
    refresh(field)
  }

  /// Called when something was typed, whether or not that has changed the value.
  func textChanged(_ field: FormField, from before: FormSnapshot) {
    let after = field.snapshot
    // A change of the value is heard of by itself.
    if field.adapter.areEqual(before.value, after.value) {
      field.last = after
      record(field, before: before)
      edited(field)
      if mayValidateNow(field) { validate(field) }
    }
    refresh(field)
  }

  private func edited(_ field: FormField) {
    if !field.isEdited { field.isEdited = true }
    if !field.reported.isEmpty { field.reported = [:] }
    if phase == .submitted { phase = .editing }
    updateModified(field)
  }

  /// What was typed goes when the value is not the one that it stands for.
  private func dropDraft(of field: FormField) {
    guard let draft = field.draft else { return }
    if let typed = draft.value, field.adapter.areEqual(typed, field.adapter.value) { return }
    field.draft = nil
  }

  func updateModified(_ field: FormField) {
    let isModified =
      field.draft?.issue != nil || !field.itemDrafts.isEmpty
      || !field.adapter.areEqual(field.baseline, field.adapter.value)
    guard isModified != field.isModified else { return }
    field.isModified = isModified
    modifiedCount += isModified ? 1 : -1
  }

  /// Called when the validation state of a field is another one.
  private func stateChanged(_ field: FormField) {
    refresh(field)
    if !phase.isBusy, field.field.lacksAsyncAnswers, mayValidateNow(field) { ask(field) }
  }

  /// Brings the form's counts up to date with what is known of a field.
  func refresh(_ field: FormField) {
    let isInvalid = field.state.isInvalid
    guard isInvalid != field.isCountedInvalid else { return }
    field.isCountedInvalid = isInvalid
    invalidCount += isInvalid ? 1 : -1
  }
}
