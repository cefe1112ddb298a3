public import FieldstoneCore

extension AnyField {
  /// Runs the synchronous rules; a single error of one of them makes the value invalid.
  ///
  /// Issues that were added from outside are dropped. A field with asynchronous rules stays unknown
  /// until they have run, too: `await validateAll()`.
  @_disfavoredOverload
  @discardableResult
  public final func validate() -> ValidationState { validateTheLongWay() }

  /// The result of validating the value; a field without rules is valid.
  ///
  /// It becomes unknown when another value is set, or when a field changes that a rule depends on,
  /// until the rules run again.
  public final var validationState: ValidationState {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    return currentState
  }

  private var currentState: ValidationState {
    if validation?.added.contains(where: \.isError) == true { return .invalid(currentIssues) }
    guard let rules, !rules.isEmpty || itemized?.itemRules?.isEmpty == false else { return .valid }
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

  /// Whether the value is valid; the rules run if necessary.
  ///
  /// A field with asynchronous rules is not valid before they have run, which `await validateAll()`
  /// or a form makes them do.
  public final var isValid: Bool { validateIfNeeded().isValid }

  /// Runs the rules unless they have already checked the current value.
  ///
  /// Issues that were added from outside stay.
  @discardableResult
  public final func validateIfNeeded() -> ValidationState {
    guard let rules, !rules.isCurrent else { return validationState }
    return validateTheLongWay(keepsIssues: true, asksAllItems: false)
  }

  /// Runs all rules: the asynchronous ones when the others hold, without waiting for a debounce.
  ///
  /// It runs where it is called, and the asynchronous rules run elsewhere. When the field is set
  /// meanwhile, it returns at once with the state of the new value, which is unknown. When the
  /// calling task is cancelled and no other task waits, the check is cancelled.
  @discardableResult
  public final func validateAll() async -> ValidationState {
    validateTheLongWay()
    await askAsyncRules()
    return validationState
  }

  /// Drops the results of the rules and the added issues; the state is unknown until the rules run
  /// again. (Seed: MagneticFields' `resetValidationState`.)
  ///
  /// Running checks of asynchronous rules are cancelled.
  public final func resetValidation() {
    recordForBatch()
    removeIssues()
    forgetValidation()
  }

  /// Calls a closure whenever the validation state changes.
  ///
  /// States are delivered in the order in which they happened, also when a closure leads to the
  /// next.
  ///
  /// - Returns: the registration; keep it as long as the closure is to be called.
  public final func observeValidation(
    _ body: @escaping (ValidationState) -> Void
  ) -> Registration {
    let rules = ensureValidation()
    if let observers = rules.observers { return observers.list.add(body) }
    let observers = ValidityObservers(lastState: currentState)
    rules.observers = observers
    rules.isSimple = false
    forEachChange(for: nil) { [unowned self] in notifyValidation() }
    return observers.list.add(body)
  }

  /// Asks the synchronous rules, and notifies observers of what changed.
  ///
  /// - Parameters:
  ///   - keepsIssues: whether issues that were added from outside stay.
  ///   - asksAllItems: whether the rules of items are asked again about values that they know.
  ///   - found: what the rules have found, where they were asked already.
  @discardableResult
  @usableFromInline
  package final func validateTheLongWay(
    keepsIssues: Bool = false, asksAllItems: Bool = true, found: [FieldIssue]? = nil
  ) -> ValidationState {
    validateTheLongWay(
      keepsIssues: keepsIssues, asksAllItems: asksAllItems, found: found, after: .call)
  }

  /// The same, and notes why.
  @discardableResult
  package final func validateTheLongWay(
    keepsIssues: Bool = false, asksAllItems: Bool = true, found: [FieldIssue]? = nil,
    after trigger: ValidationTrigger
  ) -> ValidationState {
    guard let rules else { return validationState }
    rules.trigger = trigger
    let findings = ask(rules, asksAllItems: asksAllItems, found: found)
    let dropsAdded = !keepsIssues && rules.hasAdded
    let isNews = dropsAdded || findings?.areKnown(to: rules) == false
    recordForBatch()
    let tracker = isNews ? details?.tracker : nil
    tracker?.willChange()
    if dropsAdded { rules.added = [] }
    if let findings { rules.take(findings, keepsCheck: DeliveryContext.current.isRecording) }
    tracker?.didChange()
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
    let sourceValues = rules.sources.values
    let itemRuleCount = itemized?.itemRules?.ruleCount ?? 0
    let asksAllItems = asksAllItems || !rules.keepsItemFindings(of: itemRuleCount)
    let findings = FieldValidation.Findings(
      found: found ?? rules.check(self),
      itemIssues: itemized?.issuesByItem(all: asksAllItems) ?? [:],
      itemRuleCount: itemRuleCount, sourceValues: sourceValues)
    return rules.changeCount == changeCount ? findings : nil
  }

  /// Called when a field has changed that a rule looks at.
  final func dependencyHasChanged(_ source: ObjectIdentifier) {
    guard let rules else { return }
    // Of all sources that one batch has changed, the first one leads to a validation with the new
    // values of all.
    if rules.status != .unknown, !rules.sources.is(source, asIn: rules.sourceValues) {
      validateTheLongWay(keepsIssues: true, after: .dependency)
    }
    for array in rules.arrayFields { array.dependencyHasChanged(source) }
  }

  /// Tells the observers of the state, if it is another one.
  final func notifyValidation() {
    guard let observers = validation?.observers else { return }
    let state = currentState
    guard state != observers.lastState else { return }
    observers.lastState = state
    observers.states.append(state)
    guard observers.states.begin() else { return }
    while let next = observers.states.next() { observers.list.invokeEach { $0(next) } }
  }

  /// All that is wrong with the value as it is, as far as it is known.
  final var currentIssues: [FieldIssue] {
    guard let rules else { return [] }
    let isCurrent = rules.isCurrent
    return (isCurrent ? rules.found : []) + (itemized?.issuesInOrder ?? [])
      + (isCurrent ? rules.asyncFound : []) + rules.added
  }
}

extension AnyField {
  /// All issues of the current value: those that its rules have found, warnings included, and those
  /// that were added from outside.
  public final var issues: [FieldIssue] {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    return currentIssues
  }

  /// Adds an issue that stays until the next set or validation, whichever comes first.
  ///
  /// An added error makes the field invalid. (Seed: MagneticFields' appended errors.)
  public final func addIssue(_ issue: FieldIssue) {
    recordForBatch()
    let validation = ensureValidation()
    details?.tracker?.willChange()
    validation.added.append(issue)
    details?.tracker?.didChange()
    notifyValidation()
  }

  /// Drops the issues that were added.
  public final func removeIssues() {
    if validation?.hasAdded == true { addedIssues = [] }
  }

  /// The issues that were added and not dropped; a field that had none keeps none.
  package final var addedIssues: [FieldIssue] {
    get { validation?.added ?? [] }
    set {
      guard let validation else { return }
      recordForBatch()
      details?.tracker?.willChange()
      validation.added = newValue
      details?.tracker?.didChange()
      notifyValidation()
    }
  }
}

// Not an override, which has to stand in the class: what is inlined here must know the rules.
extension Field {
  /// Runs the synchronous rules; a single error of one of them makes the value invalid.
  ///
  /// Issues that were added from outside are dropped. A field with asynchronous rules stays unknown
  /// until they have run, too: `await validateAll()`. Validating a value that passes allocates
  /// nothing.
  @_nonoverride
  @inlinable
  @discardableResult
  public final func validate() -> ValidationState {
    guard flags.isDisjoint(with: [.isTracked, .hasItems]), let simple = simpleRules else {
      return validateTheLongWay()
    }
    return simple._withUnsafeGuaranteedRef { rules in
      let changeCount = rules.changeCount
      let found = rules.issues(of: storage)
      // A rule that sets its own field leaves the new value unknown.
      if rules.changeCount != changeCount { return validationState }
      if let found { return validateTheLongWay(found: found) }
      rules.status = .passed
      return .valid
    }
  }

  /// The rules where nothing is to be done but asking them.
  @inlinable @inline(__always)
  final var simpleRules: Unmanaged<FieldRules<Value>>? {
    guard let attachment = ownedDetails?._withUnsafeGuaranteedRef({ $0.ownedAttachment }) else {
      return nil
    }
    return attachment._withUnsafeGuaranteedRef { attachment in
      // Made by the field itself, for values of its type.
      let rules = unsafeDowncast(attachment, to: FieldRules<Value>.self)
      return rules.isSimple && !rules.hasAdded ? .passUnretained(rules) : nil
    }
  }
}
