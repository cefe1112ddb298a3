import FieldstoneCore
import FieldstoneFields

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

  /// Called for each set of a field's value, from anywhere.
  private func valueChanged(_ field: FormField, origin: ChangeOrigin) {
    field.dropOldDrafts()
    let before = field.last
    // Equal sets, and what the form has put back and knows of already.
    if field.isSame(before, field.snapshot) {
      // Nil that was not known before looks the same, and yet is another value to the rules.
      let isNews = !isRestoring && origin != .restoring && !field.field.isCurrentlyValidated
      field.last = field.snapshot
      if isNews, mayValidateNow(field) { validate(field) }
      return refresh(field)
    }
    field.last = field.snapshot
    if isRestoring {
      restored.append(field)
      updateModified(field)
      return refresh(field)
    }
    // A field that is bound to one that was put back, from inside a delivery.
    if origin == .binding, let delivery = restoringDelivery, delivery == .current {
      return followRestored(field)
    }
    record(field, before: before)
    edited(field)
    checkRules(of: field)
    if mayValidateNow(field) { validate(field) }
    refresh(field)
  }

  /// Called when something was typed, whether or not that has changed the value.
  func textChanged(_ field: FormField) {
    let before = field.last
    let after = field.snapshot
    // A change of the value is heard of by itself, if not now.
    if field.adapter.areEqual(before.value, after.value), !field.isSame(before, after) {
      field.last = after
      record(field, before: before)
      edited(field)
      if mayValidateNow(field) { validate(field) }
    }
    refresh(field)
  }

  /// Brings all up to date that hangs on a value which was put back.
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

  /// Called when the validation state of a field is another one.
  private func stateChanged(_ field: FormField) {
    refresh(field)
    if !phase.isBusy, field.field.lacksAsyncAnswers, mayValidateNow(field) { ask(field) }
  }

  /// Brings the form's counts up to date with what is known of a field.
  func refresh(_ field: FormField) {
    let isInvalid = field.isInvalid
    guard isInvalid != field.isCountedInvalid else { return }
    field.isCountedInvalid = isInvalid
    invalidCount += isInvalid ? 1 : -1
  }
}
