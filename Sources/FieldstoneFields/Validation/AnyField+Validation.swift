public import FieldstoneCore

extension AnyField {
  /// What is known of the value being right; a field without rules is valid.
  ///
  /// Setting another value makes it unknown, and so does a change of a field that a rule looks at,
  /// until the rules have been asked again.
  public final var validationState: ValidationState {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    return currentState
  }

  private var currentState: ValidationState {
    guard let details else { return .valid }
    if details.issues.contains(where: \.isError) { return .invalid(currentIssues) }
    guard let rules, !rules.isEmpty || hasItemRules else { return .valid }
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
  /// `await validateAll()` or a form does.
  public final var isValid: Bool { validateIfNeeded().isValid }

  /// Asks the rules unless they were asked about the value as it is.
  ///
  /// Issues that were added from outside stay.
  @discardableResult
  public final func validateIfNeeded() -> ValidationState {
    guard let rules, !rules.isCurrent else { return validationState }
    return validateTheLongWay(keepsIssues: true, asksAllItems: false)
  }

  /// Asks all rules, the asynchronous ones when the others hold, without waiting for a debounce.
  ///
  /// It runs where it is called, and the asynchronous rules run elsewhere. When the field is set
  /// meanwhile, it returns at once with what is known of the new value, which is nothing. When the
  /// calling task is cancelled and no other task waits, the questions are given up.
  @discardableResult
  public final func validateAll() async -> ValidationState {
    validateTheLongWay()
    await askAsyncRules()
    return validationState
  }

  /// Forgets what the rules have found and the issues that were added: the state is unknown until
  /// the rules are asked again. (Seed: MagneticFields' `resetValidationState`.)
  ///
  /// Questions of asynchronous rules that are under way are given up.
  public final func resetValidation() {
    recordForBatch()
    removeIssues()
    forgetValidation()
  }

  /// Calls a closure whenever the validation state has changed.
  ///
  /// States are heard in the order in which they happened, also when a closure leads to the next.
  ///
  /// - Returns: the registration, to keep as long as the closure shall be called.
  public final func observeValidation(
    _ body: @escaping (ValidationState) -> Void
  ) -> Registration {
    let rules = ensureValidation()
    if let observers = rules.observers { return observers.add(body) }
    let observers = Multicast<(ValidationState) -> Void>()
    rules.observers = observers
    rules.isSimple = false
    rules.lastState = currentState
    forEachChange { [unowned self] in notifyValidation() }
    return observers.add(body)
  }

  /// Asks the synchronous rules, and notifies observers of what changed.
  ///
  /// - Parameters:
  ///   - keepsIssues: whether issues that were added from outside stay.
  ///   - asksAllItems: whether the rules of items are asked again about values that they know.
  ///   - found: what the rules have found, where they were asked already.
  @discardableResult
  @usableFromInline
  final func validateTheLongWay(
    keepsIssues: Bool = false, asksAllItems: Bool = true, found: [FieldIssue]? = nil
  ) -> ValidationState {
    guard let details else { return .valid }
    let rules = rules
    let findings = rules.flatMap { ask($0, asksAllItems: asksAllItems, found: found) }
    let dropsIssues = !keepsIssues && !details.issues.isEmpty
    let isNews = dropsIssues || rules.map { findings?.areKnown(to: $0) == false } ?? false
    if dropsIssues || rules != nil { recordForBatch() }
    if isNews { details.tracker?.willChange() }
    if dropsIssues { details.issues = [] }
    if let rules, let findings {
      rules.take(findings, keepsCheck: DeliveryContext.current.isRecording)
    }
    if isNews { details.tracker?.didChange() }
    notifyValidation()
    return validationState
  }

  /// Asks the rules.
  ///
  /// - Returns: nil when one of them has set the field: then nothing is known of the new value.
  private func ask(
    _ rules: FieldValidation, asksAllItems: Bool, found: [FieldIssue]?
  ) -> FieldValidation.Findings? {
    let changeCount = rules.changeCount
    let sourceValues = rules.sources.map(\.valueToCompare)
    let itemRuleCount = itemRuleCount
    let asksAllItems = asksAllItems || !rules.keepsItemFindings(of: itemRuleCount)
    let findings = FieldValidation.Findings(
      found: found ?? checkValue(), itemIssues: checkItems(all: asksAllItems),
      itemRuleCount: itemRuleCount, sourceValues: sourceValues)
    return rules.changeCount == changeCount ? findings : nil
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
    let state = currentState
    guard state != rules.lastState else { return }
    rules.lastState = state
    rules.untold.append(state)
    if rules.isTelling { return }
    rules.isTelling = true
    while !rules.untold.isEmpty {
      let next = rules.untold.removeFirst()
      observers.invokeEach { $0(next) }
    }
    rules.isTelling = false
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
