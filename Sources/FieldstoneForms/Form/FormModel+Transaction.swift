import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Records the form and its fields in an open transaction, so that a rollback restores their
  /// state together with the values.
  func recordForTransaction() {
    let context = DeliveryContext.current
    guard context.isRecording else { return }
    record(in: context)
    for field in fields { field.record(in: context) }
  }

  fileprivate func record(in context: DeliveryContext) {
    context.recordForTakingBack(of: self) {
      let before = RecordedForm(self)
      return { [weak self] in self?.takeBack(to: before) }
    }
  }

  private func takeBack(to before: RecordedForm) {
    if !phase.isBusy { phase = before.phase }
    history = before.history
    rules.restore(before.rules)
    ownFindings = before.ownFindings
    restoration = before.restoration
    restoration?.followRollback(of: fields)
    reported = before.reported
    wasSubmitted = before.wasSubmitted
    beginningCount = before.beginningCount
    fillingCount = before.fillingCount
    updateHistory()
  }
}

extension FormField {
  /// Records the field and its form in an open transaction, so that a rollback restores their state
  /// together with the value.
  func recordForTransaction() {
    let context = DeliveryContext.current
    guard context.isRecording else { return }
    form?.record(in: context)
    record(in: context)
  }

  fileprivate func record(in context: DeliveryContext) {
    context.recordForTakingBack(of: self) {
      let before = RecordedFormField(self)
      return { [weak self] in self?.takeBack(to: before) }
    }
  }

  private func takeBack(to before: RecordedFormField) {
    draft = before.draft
    draft?.revision = field.revision
    itemDrafts = before.itemDrafts
    last = before.last
    baseline = before.baseline
    reported = before.reported
    formFindings = before.formFindings
    isTouched = before.isTouched
    touchedItems = before.touchedItems
    isEdited = before.isEdited
    wasValidated = before.wasValidated
    firstRevision = before.isBegun && isSame(last, snapshot) ? field.revision : nil
    form?.updateModified(self)
    form?.refresh(self)
  }
}

// Classes: copying so many parts of a struct would add 6 KB to every program.

/// The state of a form before a transaction.
@MainActor
private final class RecordedForm {
  let phase: FormPhase
  let history: FormHistory
  let rules: FormRules
  let ownFindings: FormFindings
  let restoration: FormRestoration?
  let reported: [String: [FieldIssue]]
  let wasSubmitted: Bool
  let beginningCount: Int
  let fillingCount: Int

  init(_ form: FormModel) {
    phase = form.phase
    history = form.history
    rules = form.rules
    ownFindings = form.ownFindings
    restoration = form.restoration
    reported = form.reported
    wasSubmitted = form.wasSubmitted
    beginningCount = form.beginningCount
    fillingCount = form.fillingCount
  }
}

/// The state of a field in a form before a transaction, besides its value.
@MainActor
private final class RecordedFormField {
  let draft: FormDraft?
  let itemDrafts: [FieldItemID: ItemDraft]
  let last: FormSnapshot
  let baseline: FormValue
  let reported: [String: [FieldIssue]]
  let formFindings: FormFindings
  let isTouched: Bool
  let touchedItems: Set<FieldItemID>
  let isEdited: Bool
  let wasValidated: Bool
  let isBegun: Bool

  init(_ field: FormField) {
    draft = field.draft
    itemDrafts = field.itemDrafts
    last = field.last
    baseline = field.baseline
    reported = field.reported
    formFindings = field.formFindings
    isTouched = field.isTouched
    touchedItems = field.touchedItems
    isEdited = field.isEdited
    wasValidated = field.wasValidated
    isBegun = field.firstRevision != nil
  }
}
