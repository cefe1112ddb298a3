import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Observes a field as long as the form lives.
  func follow(_ field: FormField) {
    field.form = self
    field.registration = field.field.observeValidation { [weak self, weak field] _ in
      if let field { self?.stateChanged(field) }
    }
    field.adapter.observe { [weak self, weak field] change in
      guard let self, let field else { return DeliveryContext.noteOwnerIsGone() }
      valueChanged(field, by: change)
    }
  }

  /// Called for each set of a field's value, from any code.
  private func valueChanged(_ field: FormField, by change: FormChange) {
    field.dropOldDrafts()
    let before = field.last
    // An equal set, or a value that the form itself has restored.
    if field.isSame(before, field.snapshot) {
      // A value that becomes known to be nil looks the same, but is another value to the rules.
      let isOwn = isRestoring || change.origin == .restoring
      let isNews =
        !isOwn && field.field.revision != field.firstRevision && !field.field.isCurrentlyValidated
      field.last = field.snapshot
      if isNews, mayValidateNow(field) { validate(field) }
      return refresh(field)
    }
    if !isRestoring, follows(field, change) { return }
    field.last = field.snapshot
    if isRestoring {
      restored.append(field)
      updateModified(field)
      return refresh(field)
    }
    record(field, before: before)
    edited(field)
    checkRules(of: field)
    if mayValidateNow(field) { validate(field) }
    refresh(field)
  }

  /// Called when text was typed, whether or not that has changed the value.
  func textChanged(_ field: FormField) {
    let before = field.last
    let after = field.snapshot
    // A change of the value is delivered separately, perhaps later.
    if field.adapter.areEqual(before.value, after.value), !field.isSame(before, after) {
      field.last = after
      record(field, before: before)
      edited(field)
      if mayValidateNow(field) { validate(field) }
    }
    refresh(field)
  }

  /// Updates everything that depends on a restored value.
  func followRestored(_ field: FormField) {
    if !field.reported.isEmpty { field.reported = [:] }
    editCount += 1
    updateModified(field)
    checkRules(of: field)
    if field.wasValidated || mayValidateNow(field) { validate(field) }
    refresh(field)
  }

  private func edited(_ field: FormField) {
    if !field.isEdited { field.isEdited = true }
    if !field.reported.isEmpty { field.reported = [:] }
    if phase == .submitted { phase = .editing }
    editCount += 1
    updateModified(field)
  }

  func updateModified(_ field: FormField) {
    let isModified =
      field.hasUnreadableText || !field.adapter.areEqual(field.baseline, field.adapter.value)
    guard isModified != field.isModified else { return }
    field.isModified = isModified
    modifiedCount += isModified ? 1 : -1
  }

  /// Called when the validation state of a field has changed.
  private func stateChanged(_ field: FormField) {
    refresh(field)
    askIfDue(field)
  }

  /// Updates the form's counts with the state of a field.
  func refresh(_ field: FormField) {
    let isInvalid = field.isInvalid
    guard isInvalid != field.isCountedInvalid else { return }
    field.isCountedInvalid = isInvalid
    invalidCount += isInvalid ? 1 : -1
  }
}
