extension Field {
  /// Adds a rule; all rules have to hold.
  ///
  /// ```swift
  /// let name = Field<String>("Name").require(.notBlank).require(.length(...60))
  /// ```
  ///
  /// - Parameters:
  ///   - rule: the condition for the value.
  ///   - allowNil: whether nil passes; by default as the rule says.
  ///   - message: the text of the issue in place of the rule's own, after the field's name: "must
  ///     be a number that we know".
  ///   - severity: a warning does not make the value invalid.
  @discardableResult
  public final func require(
    _ rule: FieldRule<Value>, allowNil: Bool? = nil, message: String? = nil,
    severity: FieldIssue.Severity = .error
  ) -> Self {
    append(
      rule.isOnlyAboutNil ? nil : rule.makeCheck(), named: rule.name,
      checkNil: allowNil ?? rule.acceptsNil ? nil : { [.required] },
      message: message, severity: severity)
  }

  /// Adds a check; nil passes by default. (Seed: MagneticFields' `require`.)
  ///
  /// ```swift
  /// let age = Field<Int>("Age").require { $0 > 0 }
  /// ```
  ///
  /// - Parameters:
  ///   - allowNil: whether nil passes.
  ///   - message: the text of the issue, after the field's name: "must be even".
  ///   - code: a short stable name of the problem.
  ///   - severity: a warning does not make the value invalid.
  ///   - check: whether a value passes. When it throws, the value "could not be validated".
  @inlinable
  @discardableResult
  public final func require(
    allowNil: Bool = true, message: String? = nil, code: String = "invalid",
    severity: FieldIssue.Severity = .error, _ check: @escaping (Value) throws -> Bool
  ) -> Self {
    let issue = FieldIssue(code: code, message: message)
    return append(
      { value in
        do {
          return try check(value) ? nil : .failure(issue)
        } catch {
          return .failure(error)
        }
      }, named: .ruleName(code: code, message: message),
      checkNil: allowNil ? nil : { [.required] }, message: nil, severity: severity)
  }

  /// Adds a rule that depends on other fields, and runs again when they change.
  ///
  /// - Parameters:
  ///   - rule: the condition for the value.
  ///   - allowNil: whether nil passes; by default as the rule says.
  ///   - message: the text of the issue in place of the rule's own.
  ///   - severity: a warning does not make the value invalid.
  @discardableResult
  public final func require(
    _ rule: DependentRule<Value>, allowNil: Bool? = nil, message: String? = nil,
    severity: FieldIssue.Severity = .error
  ) -> Self {
    let checkNil = allowNil.map { allowNil in allowNil ? nil : { [.required] } } ?? rule.checkNil
    append(
      rule.check, named: rule.name, checkNil: checkNil, message: message, severity: severity)
    let rules = ensureRules()
    rules.isSimple = false
    for source in rule.sources where rules.sources.insert(source) {
      // Once for all rules that look at it: a change asks them all.
      let identifier = source.identifier
      source.forEachChange(for: self) { [weak self] in self?.dependencyHasChanged(identifier) }
    }
    return self
  }

  /// Adds an asynchronous rule, which runs once all others hold.
  ///
  /// The field only stores it: a form or `await field.validateAll()` runs it.
  @discardableResult
  public final func require(_ rule: AsyncFieldRule<Value>) -> Self {
    ensureRules().append(rule)
    return self
  }

  @discardableResult
  @usableFromInline
  final func append(
    _ check: ((Value) -> [FieldIssue]?)?, named name: String, checkNil: (() -> [FieldIssue]?)?,
    message: String?, severity: FieldIssue.Severity
  ) -> Self {
    let rules = ensureRules()
    if message == nil, severity == .error {
      rules.append(RuleNode(name, check: check, checkNil: checkNil))
    } else {
      // Words of one's own are one issue, whatever the rule has found: an error if there is one.
      let worded = { (issues: [FieldIssue]) -> [FieldIssue] in
        let told = issues.first(where: \.isError) ?? issues.first
        let chosen = message == nil ? issues : told.map { [$0] } ?? []
        return chosen.map { $0.worded(message, severity) }
      }
      rules.append(
        RuleNode(
          name, check: check.map { check in { check($0).map(worded) } },
          checkNil: checkNil.map { ask in { ask().map(worded) } }
        ))
    }
    return self
  }
}
