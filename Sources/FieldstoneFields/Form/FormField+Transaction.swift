/// What typing changes of a field besides its value.
///
/// It is a class: what copies so many parts of a struct would be 6 KB in every program.
@MainActor
private final class TypedState {
  let snapshot: FormSnapshot
  let last: FormSnapshot
  let reported: [String: [FieldIssue]]
  let isEdited: Bool
  let wasValidated: Bool

  init(of field: FormField) {
    snapshot = field.snapshot
    last = field.last
    reported = field.reported
    isEdited = field.isEdited
    wasValidated = field.wasValidated
  }
}

extension FormField {
  /// Lets an open transaction take back what is typed next, together with the values.
  func recordForTransaction() {
    let context = DeliveryContext.current
    guard context.isRecording else { return }
    // Before the field: what is taken back first is what was recorded last.
    form?.recordForTransaction(in: context)
    context.recordForTakingBack(of: self) {
      let before = TypedState(of: self)
      return { [weak self] in self?.takeBack(to: before) }
    }
  }

  private func takeBack(to before: TypedState) {
    draft = before.snapshot.draft
    draft?.revision = field.revision
    itemDrafts = before.snapshot.itemDrafts
    last = before.last
    reported = before.reported
    isEdited = before.isEdited
    wasValidated = before.wasValidated
    form?.updateModified(self)
    form?.refresh(self)
  }
}

extension FormModel {
  fileprivate func recordForTransaction(in context: DeliveryContext) {
    context.recordForTakingBack(of: self) {
      let (phase, history) = (phase, history)
      return { [weak self] in
        guard let self else { return }
        if !self.phase.isBusy { self.phase = phase }
        self.history = history
        updateHistory()
      }
    }
  }
}
