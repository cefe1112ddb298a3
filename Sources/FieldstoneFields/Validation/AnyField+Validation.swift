public import FieldstoneCore

extension AnyField {
  /// What is known of the value being right; a field without rules is valid.
  ///
  /// Setting another value makes it unknown, and so does a change of a field that a rule looks at,
  /// until the rules have been asked again.
  public final var validationState: ValidationState {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    guard details != nil else { return .valid }
    if let details, details.issues.contains(where: \.isError) { return .invalid(currentIssues) }
    guard let rules else { return .valid }
    guard rules.isCurrent else { return .unknown }
    if rules.status == .failed { return .invalid(currentIssues) }
    guard hasAsyncRules(rules) else { return .valid }
    switch rules.asyncStatus {
    case .unknown: return .unknown
    case .running: return .validating
    case .done:
      let issues = currentIssues
      return issues.contains(where: \.isError) ? .invalid(issues) : .valid
    }
  }

  /// Whether the value is right; the rules are asked if they have to be.
  ///
  /// A field with asynchronous rules is not valid before they were asked, which
  /// `await validate()` or a form does.
  public final var isValid: Bool { validateIfNeeded().isValid }

  /// Asks the rules unless they were asked about the value as it is.
  @discardableResult
  public final func validateIfNeeded() -> ValidationState {
    guard let rules, !rules.isCurrent else { return validationState }
    return validateTheLongWay()
  }

  /// Asks all rules, the asynchronous ones when the others hold, without waiting for a debounce.
  ///
  /// It runs where it is called, and the asynchronous rules run elsewhere. When the field is set
  /// meanwhile, it returns at once with what is known of the new value, which is nothing. When the
  /// calling task is cancelled and nobody else waits, the questions are given up.
  @discardableResult
  public final func validate() async -> ValidationState {
    validateTheLongWay()
    await askAsyncRules()
    return validationState
  }

  /// Calls a closure whenever the validation state has changed.
  ///
  /// - Returns: the registration, to keep as long as the closure shall be called.
  public final func observeValidation(
    _ body: @escaping (ValidationState) -> Void
  ) -> Registration {
    guard let rules = ensureValidation() else { return Multicast<() -> Void>().add {} }
    if rules.observers == nil {
      rules.observers = Multicast()
      rules.isSimple = false
      forEachChange { [unowned self] in notifyValidation() }
      rules.lastState = validationState
    }
    let observers = rules.observers ?? Multicast()
    return observers.add { [unowned self] in body(validationState) }
  }

  /// Asks the synchronous rules, and tells whoever has to know.
  ///
  /// - Parameter keepsIssues: whether issues that were added from outside stay.
  /// - Parameter found: what the rules have found, where they were asked already.
  @discardableResult
  @usableFromInline
  final func validateTheLongWay(
    keepsIssues: Bool = false, found: [FieldIssue]? = nil
  ) -> ValidationState {
    guard let details else { return .valid }
    if !keepsIssues { removeIssues() }
    if let rules {
      let tracker = details.tracker
      tracker?.willChange()
      ask(rules, found: found)
      tracker?.didChange()
      notifyValidation()
    }
    return validationState
  }

  private func ask(_ rules: FieldValidation, found: [FieldIssue]?) {
    let changeCount = rules.changeCount
    let sourceRevisions = rules.sources.isEmpty ? [] : rules.currentSourceRevisions
    let found = found ?? checkValue()
    let items = checkItems()
    // A rule that sets its own field asks for nothing else: the new value is not known yet.
    guard rules.changeCount == changeCount else { return }
    rules.sourceRevisions = sourceRevisions
    rules.found = found
    rules.itemIssues = items
    let hasFailed = (found + items.values.joined()).contains(where: \.isError)
    rules.status = hasFailed ? .failed : .passed
    if hasFailed { rules.forgetAsync() }
    rules.isSimple = rules.isSimpleByNature && found.isEmpty
  }

  /// Called when a field has changed that a rule looks at.
  final func dependencyHasChanged() {
    guard let rules else { return }
    if rules.status != .unknown { validateTheLongWay(keepsIssues: true) }
    rules.onDependencyChange?()
  }

  /// Tells the observers of the state, if it is another one.
  final func notifyValidation() {
    guard let rules = details?.validation, let observers = rules.observers else { return }
    let state = validationState
    guard state != rules.lastState else { return }
    rules.lastState = state
    observers.invokeEach { $0() }
  }

  /// All that is wrong with the value as it is, as far as it is known.
  final var currentIssues: [FieldIssue] {
    guard let details else { return [] }
    guard let rules else { return details.issues }
    let isCurrent = rules.isCurrent
    return (isCurrent ? rules.found : []) + issuesOfItems + (isCurrent ? rules.asyncFound : [])
      + details.issues
  }
}
