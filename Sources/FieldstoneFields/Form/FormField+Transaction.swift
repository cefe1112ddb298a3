/// What typing changes of a field and its form besides the field's value.
///
/// It is a class: what copies so many parts of a struct would be 6 KB in every program.
@MainActor
private final class TypedState {
  let snapshot: FormSnapshot
  let last: FormSnapshot
  let reported: [String: [FieldIssue]]
  let isEdited: Bool
  let wasValidated: Bool
  let phase: FormPhase?
  let history: FormHistory?

  init(of field: FormField) {
    snapshot = field.snapshot
    last = field.last
    reported = field.reported
    isEdited = field.isEdited
    wasValidated = field.wasValidated
    phase = field.form?.phase
    history = field.form?.history
  }
}

extension FormField {
  /// Lets an open transaction take back what is typed next, together with the values.
  func recordForTransaction() {
    let context = DeliveryContext.current
    guard context.isRecording else { return }
    let before = TypedState(of: self)
    context.recordForTakingBack { [weak self] in self?.takeBack(to: before) }
  }

  private func takeBack(to before: TypedState) {
    draft = before.snapshot.draft
    draft?.revision = field.revision
    itemDrafts = before.snapshot.itemDrafts
    last = before.last
    reported = before.reported
    isEdited = before.isEdited
    wasValidated = before.wasValidated
    guard let form else { return }
    if let phase = before.phase, !form.phase.isBusy { form.phase = phase }
    if let history = before.history { form.history = history }
    form.updateModified(self)
    form.refresh(self)
    form.updateHistory()
  }
}
