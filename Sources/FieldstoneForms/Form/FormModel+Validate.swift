import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Validates all fields, and waits for the asynchronous rules where all others hold.
  ///
  /// A debounce that is under way is over at once. Fields that change meanwhile are validated
  /// again.
  ///
  /// - Returns: whether everything is valid; false, too, when the calling task was cancelled, the
  ///   form was filled or reset meanwhile, or fields went on changing for ten rounds.
  @discardableResult
  public func validate() async -> Bool {
    await validateAll(keepsIssues: true) == .valid
  }

  /// How validating everything has ended.
  enum Verdict {
    case valid, invalid, unsettled, cancelled
  }

  /// Validates everything, again as long as fields change meanwhile.
  func validateAll(keepsIssues: Bool) async -> Verdict {
    let beginning = beginningCount
    for round in 0..<10 {
      checkAllRules()
      for field in fields where round == 0 || !field.field.isCurrentlyValidated {
        field.wasValidated = true
        field.field.validateTheLongWay(keepsIssues: keepsIssues)
        if round == 0 { field.field.forgetBadAnswers() }
        refresh(field)
      }
      if hasErrors { return .invalid }
      await askEverything()
      if Task.isCancelled || beginning != beginningCount { return .cancelled }
      if hasErrors { return .invalid }
      if fields.allSatisfy({ $0.state.isValid }) { return .valid }
    }
    return .unsettled
  }

  private var hasErrors: Bool {
    invalidCount > 0 || ownIssues.contains(where: \.isError)
  }

  /// Asks all asynchronous rules at once, and waits for the answers.
  private func askEverything() async {
    let waiting = fields.filter(\.field.needsAsyncRules).compactMap { field in
      field.field.beginAsyncRules(isDebounced: false).map { pending in
        pending.flush()
        return Task { await field.field.wait(for: pending) }
      }
    }
    await withTaskCancellationHandler {
      for task in waiting { await task.value }
    } onCancel: {
      for task in waiting { task.cancel() }
    }
  }

  /// Validates a field that has changed or lost the focus.
  func validate(_ field: FormField) {
    field.wasValidated = true
    field.field.validateTheLongWay(keepsIssues: true, asksAllItems: false)
    if field.field.lacksAsyncAnswers { ask(field) }
    refresh(field)
  }

  /// Asks the asynchronous rules of a field when its debounce is over.
  func ask(_ field: FormField) {
    // What the form has found, or can't be read, comes before questions.
    guard !field.hasFormErrors, field.draft?.issue == nil else { return }
    guard let pending = field.field.beginAsyncRules(isDebounced: true) else { return }
    field.asking = TaskHolder(Task { [field = field.field] in await field.wait(for: pending) })
  }

  /// Whether a field is to be validated when it changes.
  func mayValidateNow(_ field: FormField) -> Bool {
    switch timing {
    case .onChange: true
    case .onSubmit: wasSubmitted
    case .onBlur: field.wasValidated || focus !== field
    }
  }

  // MARK: - Focus

  /// Gives the focus to a field, or to none: the one that had it is touched, and its edit is over.
  func moveFocus(to field: FormField?) {
    guard field !== focus else { return }
    let left = focus
    focus = field
    history.beginSession()
    if let left { leave(left) }
  }

  /// Called when the person is done with a field.
  func leave(_ field: FormField) {
    field.isTouched = true
    field.normalize()
    if timing == .onBlur || mayValidateNow(field) && !field.field.isCurrentlyValidated {
      checkRules(of: field)
      validate(field)
    }
  }
}

extension FormField {
  /// Gives it the focus.
  public func focus() { form?.focusedField = self }

  /// Says that the person is done with it: it is touched, and loses the focus if it has it.
  public func blur() {
    guard let form else { return isTouched = true }
    if isFocused { form.focusedField = nil } else { form.leave(self) }
  }
}
