import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Validates all fields, and runs the asynchronous rules where all others hold.
  ///
  /// A running debounce ends at once. Fields that change meanwhile are validated again.
  ///
  /// - Returns: whether everything is valid; false, too, when the calling task was cancelled, the
  ///   form was filled or reset meanwhile, or fields continued to change for ten rounds.
  @discardableResult
  public func validate() async -> Bool {
    await validateAll(keepsIssues: true) == .valid
  }

  /// The result of validating everything.
  enum Verdict {
    case valid, invalid, unsettled, cancelled
  }

  /// Validates everything, and again while fields change.
  func validateAll(keepsIssues: Bool) async -> Verdict {
    let beginning = beginningCount
    for round in 0..<10 {
      checkAllRules()
      for field in fields where round == 0 || !field.field.isCurrentlyValidated {
        field.wasValidated = true
        field.field.validateTheLongWay(keepsIssues: keepsIssues, after: .form)
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

  /// Runs all asynchronous rules at once, and waits for the results.
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
  func validate(_ field: FormField, after trigger: ValidationTrigger = .change) {
    field.wasValidated = true
    field.field.validateTheLongWay(keepsIssues: true, asksAllItems: false, after: trigger)
    if field.field.lacksAsyncAnswers { ask(field) }
    refresh(field)
  }

  /// Runs the asynchronous rules of a field whose other rules have come to hold.
  ///
  /// Not while everything is being validated, which runs them anyway. While the values are being
  /// sent, nothing else runs them.
  func askIfDue(_ field: FormField) {
    guard phase != .validating, field.field.lacksAsyncAnswers, mayValidateNow(field) else { return }
    ask(field)
  }

  /// Runs the asynchronous rules of a field after its debounce.
  func ask(_ field: FormField) {
    // Errors of the form's rules, and unreadable texts, come before asynchronous rules.
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

  /// Moves the focus to a field, or to none: the previous field is touched, and its edit ends.
  func moveFocus(to field: FormField?) {
    guard field !== focus else { return }
    let left = focus
    focus = field
    history.beginSession()
    if let left { leave(left) }
  }

  /// Called when the user has left a field.
  func leave(_ field: FormField) {
    field.isTouched = true
    field.normalize()
    if timing == .onBlur || mayValidateNow(field) && !field.field.isCurrentlyValidated {
      checkRules(of: field)
      validate(field, after: .blur)
    }
  }
}

extension FormField {
  /// Moves the focus to the field.
  public func focus() { form?.focusedField = self }

  /// Marks the field as left by the user: it is touched, and loses the focus if it has it.
  public func blur() {
    guard let form else { return isTouched = true }
    if isFocused { form.focusedField = nil } else { form.leave(self) }
  }
}
