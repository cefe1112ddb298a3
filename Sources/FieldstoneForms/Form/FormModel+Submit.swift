public import FieldstoneCore
public import FieldstoneFields

extension FormModel {
  /// Validates everything and then sends the values; one at a time.
  ///
  /// A debounce that is under way is over at once. When something is invalid, or the action is
  /// refused, the first invalid field in declared order gets the focus, and there is one
  /// announcement for all that is wrong. After a success the values that were sent are what the
  /// form counts as unmodified, and there is nothing to undo. Fields may be edited while the values
  /// are on their way: such edits stay, as modifications, and what a rejection says of such a field
  /// is too late.
  ///
  /// Reported issues never keep a form from being submitted again, and are dropped with a
  /// success. A form that is filled or reset while it is validated gives the submit up; one that is
  /// filled while the values are on their way does not change with how they fare.
  ///
  /// - Parameter action: sends the values; it throws ``FormRejection`` to put issues at fields.
  /// - Returns: what the action gave, or why it gave nothing: ``FormError`` as the failure when the
  ///   form is invalid, cancelled as busy when it is being submitted already, and as superseded
  ///   when it was filled or reset while it was validated.
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

  /// The first title, by which observers know its activities.
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

  /// Whether an issue is about a value that is not there any more.
  private func isLate(_ issue: FieldIssue, _ sent: [(FormField, FormValue)]) -> Bool {
    guard let field = issue.path.first.flatMap({ self[$0] }) else { return false }
    // All fields were sent, in their order.
    let (_, value) = sent[field.position]
    return field.hasUnreadableText || !field.adapter.areEqual(value, field.adapter.value)
  }

  /// Makes the sent values those that the form counts as unmodified.
  private func accept(_ sent: [(FormField, FormValue)]) {
    wasSubmitted = false
    // What a rule has found stays until it is asked again.
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
  /// Shows at the fields what others have found, such as a server.
  ///
  /// Each source speaks for itself: its report takes the place of its last one, and leaves those of
  /// other sources alone. What is reported of a field goes with the field's next change; it never
  /// keeps the form from being submitted again.
  ///
  /// - Parameters:
  ///   - issues: what is wrong. The first step of each path is the key of a field; issues without
  ///     a path, and those for keys that no field has, belong to the form.
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

  /// Drops what others have reported.
  ///
  /// - Parameter source: whose reports are dropped; those of all when it is nil.
  public func removeReports(from source: String? = nil) {
    for field in fields where !field.reported.isEmpty {
      if let source { field.reported[source] = nil } else { field.reported = [:] }
    }
    if reported.isEmpty { return }
    if let source { reported[source] = nil } else { reported = [:] }
  }
}
