public import FieldstoneCore
public import FieldstoneFields

extension FormModel {
  /// Validates everything and then sends the values; one submit at a time.
  ///
  /// A running debounce ends at once. When a field is invalid or the action is rejected, the first
  /// invalid field in declared order gets the focus, and one announcement names all errors.
  ///
  /// After a success the sent values are the baseline, which counts as unmodified, and there is
  /// nothing to undo. Fields may be edited while the values are being sent. Such edits stay as
  /// modifications, and a rejection's issues for these fields are dropped.
  ///
  /// Reported issues never keep a form from being submitted again, and a success drops them.
  /// Filling or resetting the form during validation cancels the submit. If the form is filled
  /// while the values are being sent, the result no longer changes it.
  ///
  /// - Parameter action: sends the values; it throws ``FormRejection`` to add issues to fields.
  /// - Returns: the result of the action, or a ``FormError`` as the failure when the form is
  ///   invalid. It is cancelled as busy when a submit is running, as superseded when the form
  ///   was filled or reset during validation, and by the caller when its task is cancelled.
  @discardableResult
  public func submit<Result: Sendable>(
    _ action: @MainActor () async throws -> Result
  ) async -> Outcome<Result> {
    let trace = ActivityTrace.make(
      .formSubmit, named: activityName, owner: ObjectIdentifier(self))
    trace?.tell(.began)
    let outcome = await validateAndSend(action)
    trace?.tell(.ended(outcome.withoutValue))
    return outcome
  }

  /// The first title, which names the form's activities for observers.
  private var activityName: String {
    sections.first { !$0.title.isEmpty }?.title ?? "FormModel"
  }

  private func validateAndSend<Result: Sendable>(
    _ action: @MainActor () async throws -> Result
  ) async -> Outcome<Result> {
    guard !phase.isBusy else { return .cancelled(.busy) }
    phase = .validating
    wasSubmitted = true
    history.beginSession()
    for field in fields where !field.isTouched { field.isTouched = true }
    switch await validateAll(keepsIssues: false) {
    case .valid: break
    case .invalid: return fail(with: FormError.invalid(labelledIssues))
    case .unsettled: return fail(with: FormError.unsettled)
    case .cancelled:
      phase = .editing
      return .cancelled(Task.isCancelled ? .caller : .superseded)
    }
    phase = .submitting
    let filling = fillingCount
    let sent = fields.map { ($0, $0.adapter.value) }
    let outcome = await Outcome(running: action)
    if filling != fillingCount {
      phase = .editing
      return outcome
    }
    switch outcome {
    case .success:
      phase = .submitted
      removeReports()
      accept(sent)
      return outcome
    case .cancelled:
      phase = .editing
      return outcome
    case .failure(let error):
      if let rejection = error as? FormRejection {
        report(rejection.issues.filter { !isLate($0, sent) }, from: rejection.source)
      }
      return fail(with: error)
    }
  }

  /// Whether an issue concerns a value that has been edited since.
  private func isLate(_ issue: FieldIssue, _ sent: [(FormField, FormValue)]) -> Bool {
    guard let field = issue.path.first.flatMap({ self[$0] }) else { return false }
    // All fields were sent, in the order of the form.
    let (_, value) = sent[field.position]
    return field.hasUnreadableText || !field.adapter.areEqual(value, field.adapter.value)
  }

  /// Makes the sent values the baseline.
  private func accept(_ sent: [(FormField, FormValue)]) {
    wasSubmitted = false
    // A rule's findings stay until it runs again.
    rules.waitAgain()
    for (field, value) in sent {
      field.baseline = value
      field.isEdited =
        field.hasUnreadableText || !field.adapter.areEqual(value, field.adapter.value)
      field.isTouched = false
      field.touchedItems = []
      field.wasValidated = false
      updateModified(field)
    }
    if isModified { phase = .editing }
    history.removeAll()
    updateHistory()
  }

  private func fail<Result: Sendable>(with error: any Error) -> Outcome<Result> {
    phase = .editing
    let wrong = fields.filter { !$0.issues.filter(\.isError).isEmpty }
    if let first = wrong.first { focusedField = first }
    announce(wrong)
    return .failure(error)
  }

  private func announce(_ wrong: [FormField]) {
    let messages = messages
    var sentences = issues.filter(\.isError).map { messages.sentence(for: $0, name: "") }
    for field in wrong {
      guard let issue = field.issues.first(where: \.isError) else { continue }
      sentences.append(messages.sentence(for: issue, name: field.label))
    }
    guard !sentences.isEmpty else { return }
    announcement = FormAnnouncement(
      id: (announcement?.id ?? 0) + 1, text: messages.announcement(of: sentences))
  }

  /// All errors, each with the key of its field first in its path.
  private var labelledIssues: [FieldIssue] {
    ownIssues
      + fields.flatMap { field in
        field.issues.filter(\.isError).map { $0.inside(field.key) }
      }
  }
}

extension FormModel {
  /// Shows issues that others have found, such as a server, at the fields.
  ///
  /// Each source is independent: its report replaces its last one, and leaves those of other
  /// sources alone. The field's next change drops what is reported of it. Reports never keep the
  /// form from being submitted again.
  ///
  /// - Parameters:
  ///   - issues: the issues. The first key of each path is that of a field; issues without a path,
  ///     and those for keys that no field has, belong to the form.
  ///   - source: the name of the reporter.
  public func report(_ issues: [FieldIssue], from source: String = "server") {
    removeReports(from: source)
    for issue in issues {
      var issue = issue
      issue.source = .server
      if let key = issue.path.first, let field = self[key] {
        issue.path.removeFirst()
        field.reported[source, default: []].append(issue)
      } else {
        reported[source, default: []].append(issue)
      }
    }
  }

  /// Whether issues at the fields, or of the form, show something of an error of a submit.
  ///
  /// A rejection may have no issues, and those for fields that were edited meanwhile are dropped.
  package func shows(_ error: any Error) -> Bool {
    switch error {
    case FormError.invalid: !issues.isEmpty || fields.contains { !$0.issues.isEmpty }
    case let rejection as FormRejection: hasReport(from: rejection.source)
    default: false
    }
  }

  private func hasReport(from source: String) -> Bool {
    reported[source]?.isEmpty == false
      || fields.contains { $0.reported[source]?.isEmpty == false }
  }

  /// Drops reported issues.
  ///
  /// - Parameter source: the source whose reports are dropped; nil drops all.
  public func removeReports(from source: String? = nil) {
    for field in fields where !field.reported.isEmpty {
      if let source { field.reported[source] = nil } else { field.reported = [:] }
    }
    if reported.isEmpty { return }
    if let source { reported[source] = nil } else { reported = [:] }
  }
}
