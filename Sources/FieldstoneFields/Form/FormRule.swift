/// A rule of a form: it looks at several of its fields.
struct FormRule {
  let sources: [AnyField]

  /// The field that shows what is wrong; nil for the form itself.
  let target: AnyField?
  let check: () -> Findings

  var found = Findings()
  var wasChecked = false

  /// What is wrong, with the target and with single items of it.
  struct Findings: Equatable {
    var issues: [FieldIssue] = []
    var itemIssues: [FieldItemID: [FieldIssue]] = [:]

    var isEmpty: Bool { issues.isEmpty && itemIssues.isEmpty }

    /// Without the items, for a form that does not have the field.
    var allIssues: [FieldIssue] { issues + itemIssues.values.joined() }
  }
}

extension FormModel {
  /// Adds a rule that looks at several fields.
  ///
  /// ```swift
  /// form.require(latitude, longitude, message: "must be given together") { latitude, longitude in
  ///   (latitude == nil) == (longitude == nil)
  /// }
  /// ```
  ///
  /// It is asked before the rules of the fields, and again when one of its fields changes, also one
  /// that is not in the form.
  ///
  /// - Parameters:
  ///   - sources: the fields that the rule looks at, and no others.
  ///   - target: the field that shows what is wrong; the form itself when it is nil.
  ///   - message: what is wrong, to be read after the target's name.
  ///   - code: what is wrong, as a short stable name.
  ///   - check: whether the values pass. When it throws, they "could not be validated".
  /// - Returns: the form, for the next rule.
  @discardableResult
  public func require<each Source>(
    _ sources: repeat ReadableField<each Source>, at target: AnyField? = nil,
    message: String? = nil, code: String = "invalid",
    check: @escaping (repeat Optional<each Source>) throws -> Bool
  ) -> FormModel {
    let packed = PackRule(repeat each sources, check: check)
    let issue = FieldIssue(code: code, message: message)
    let rule = FormRule(sources: packed.all, target: target) {
      do {
        return FormRule.Findings(issues: try packed() ? [] : [issue])
      } catch {
        return FormRule.Findings(issues: [.couldNotValidate(error)])
      }
    }
    add(rule)
    packed.observe(self, where: { self[$0] == nil }) { [weak self] in self?.sourceChanged($0) }
    return self
  }

  /// Adds a rule that looks at several fields and finds items of one of them that are wrong.
  ///
  /// ```swift
  /// form.require(legs, range, atItemsOf: legs, message: "is too far") { legs, range in
  ///   (legs ?? []).indices.filter { (legs ?? [])[$0] > range ?? .max }
  /// }
  /// ```
  ///
  /// It is asked when a rule of the form is. An issue stays with its item where the item moves, and
  /// the field is invalid as long as one of its items is.
  ///
  /// - Parameters:
  ///   - sources: the fields that the rule looks at, and no others.
  ///   - target: the array field whose items show what is wrong.
  ///   - message: what is wrong, to be read after the name of the item's field.
  ///   - code: what is wrong, as a short stable name.
  ///   - failing: the indices of the items that fail; those outside of the array are ignored. When
  ///     it throws, the target "could not be validated".
  /// - Returns: the form, for the next rule.
  /// - Complexity: O(n) for n items, besides what the closure costs.
  @discardableResult
  public func require<each Source, Element>(
    _ sources: repeat ReadableField<each Source>, atItemsOf target: ArrayField<Element>,
    message: String? = nil, code: String = "invalid",
    failing: @escaping (repeat Optional<each Source>) throws -> [Int]
  ) -> FormModel {
    let packed = PackRule(repeat each sources, check: failing)
    let issue = FieldIssue(code: code, message: message)
    let rule = FormRule(sources: packed.all, target: target) {
      do {
        var found = FormRule.Findings()
        let identities = target.identities
        for index in try packed() where identities.indices.contains(index) {
          found.itemIssues[identities[index]] = [issue]
        }
        return found
      } catch {
        return FormRule.Findings(issues: [.couldNotValidate(error)])
      }
    }
    add(rule)
    packed.observe(self, where: { self[$0] == nil }) { [weak self] in self?.sourceChanged($0) }
    return self
  }

  private func add(_ rule: FormRule) {
    for source in rule.sources {
      rulesBySource[ObjectIdentifier(source), default: []].append(rules.count)
    }
    rules.append(rule)
  }

  /// Called for each change of a field that a rule looks at and that is not in the form.
  private func sourceChanged(_ source: AnyField) {
    checkRules(of: source, isDue: timing == .onSubmit ? wasSubmitted : true)
  }

  /// Asks all rules of the form.
  func checkAllRules() {
    for index in rules.indices { check(index) }
  }

  /// Asks the rules that look at a field.
  func checkRules(of field: FormField) {
    checkRules(of: field.field, isDue: mayValidateNow(field))
  }

  private func checkRules(of source: AnyField, isDue: Bool) {
    guard let indices = rulesBySource[ObjectIdentifier(source)] else { return }
    for index in indices where isDue || rules[index].wasChecked { check(index) }
  }

  /// Forgets what the rules have found, as if they had not been asked.
  func forgetRules() {
    for index in rules.indices {
      rules[index].found = FormRule.Findings()
      rules[index].wasChecked = false
    }
  }

  private func check(_ index: Int) {
    let found = rules[index].check()
    rules[index].wasChecked = true
    guard found != rules[index].found else { return }
    rules[index].found = found
    let target = rules[index].target
    if let target, let field = self[target] {
      let all = rules.filter { $0.target === target }.map(\.found)
      field.formIssues = all.flatMap(\.issues)
      field.formItemIssues = all.map(\.itemIssues).reduce(into: [:]) {
        $0.merge($1, uniquingKeysWith: +)
      }
      if field.allFormIssues.contains(where: \.isError) {
        field.field.giveUpAsyncRules()
      } else if !phase.isBusy, field.field.lacksAsyncAnswers, mayValidateNow(field) {
        ask(field)
      }
      refresh(field)
    } else {
      // A target that is not in the form can't show it.
      ownIssues = rules.filter { $0.target.flatMap { self[$0] } == nil }.flatMap(\.found.allIssues)
    }
  }
}

/// A check with the fields that it looks at.
///
/// A class and not a closure: a closure over a parameter pack crashes the compiler (Swift 6.3).
private final class PackRule<Finding, each Source: Equatable & Sendable> {
  private let sources: (repeat ReadableField<each Source>)
  private let check: (repeat Optional<each Source>) throws -> Finding

  init(
    _ sources: repeat ReadableField<each Source>,
    check: @escaping (repeat Optional<each Source>) throws -> Finding
  ) {
    self.sources = (repeat each sources)
    self.check = check
  }

  var all: [AnyField] {
    var all: [AnyField] = []
    for source in repeat each sources { all.append(source) }
    return all
  }

  /// Calls a closure with each change of some of the fields, as long as the owner lives.
  func observe(
    _ owner: AnyObject, where isMeant: (AnyField) -> Bool, _ body: @escaping (AnyField) -> Void
  ) {
    for source in repeat each sources {
      if isMeant(source) { source.addDependent(owner) { [unowned source] in body(source) } }
    }
  }

  func callAsFunction() throws -> Finding {
    for source in repeat each sources { source.bringUpToDate() }
    // Read into a pack first: the compiler does not take it as an argument (Swift 6.3).
    let sources = sources
    let values: (repeat Optional<each Source>) = (repeat (each sources).storage)
    return try check(repeat each values)
  }
}
