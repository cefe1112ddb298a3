/// The rules of a field.
@usableFromInline
final class FieldRules<Value: Equatable & Sendable>: FieldValidation {
  // Owned by hand and linked without reference counting: validating retains nothing.
  @exclusivity(unchecked) private var first: Unmanaged<RuleNode<Value>>?
  private var last: Unmanaged<RuleNode<Value>>?

  /// Those that look at values that are not nil.
  @exclusivity(unchecked) @usableFromInline var firstCheck: Unmanaged<RuleNode<Value>>?
  private var lastCheck: Unmanaged<RuleNode<Value>>?

  private(set) var asyncRules: [AsyncFieldRule<Value>] = []

  private var count = 0

  @usableFromInline
  override init() {
    super.init()
  }

  deinit {
    var node = first
    while let current = node {
      node = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }

  override var isEmpty: Bool { first == nil && asyncRules.isEmpty }

  override var hasAsyncRules: Bool { !asyncRules.isEmpty }

  override var ruleCount: Int { count }

  override var asyncRuleCount: Int { asyncRules.count }

  override var ruleNames: [RuleName] {
    var names: [RuleName] = []
    var node = first
    while let current = node {
      node = current._withUnsafeGuaranteedRef { rule in
        names.append(RuleName(name: rule.name, bit: rule.bit, passesNil: rule.checkNil == nil))
        return rule.next
      }
    }
    return names
  }

  override var asyncRuleNames: [(name: String, debounce: Duration)] {
    asyncRules.map { ($0.name, $0.debounce) }
  }

  override func isNil(_ field: AnyField) -> Bool { value(of: field) == nil }

  override func check(_ field: AnyField) -> [FieldIssue] { issues(of: value(of: field)) ?? [] }

  override func questions(about field: AnyField) -> [FieldCheck.Question] {
    guard let value = value(of: field) else { return [] }
    return asyncRules.map { rule in
      FieldCheck.Question(debounce: rule.debounce, item: nil) { await rule.ask(about: value) }
    }
  }

  private func value(of field: AnyField) -> Value? {
    // The rules of a field are made for values of its type.
    unsafeDowncast(field, to: ReadableField<Value>.self).storage
  }

  override var refusesNil: Bool {
    var node = first
    while let current = node {
      let refuses = current._withUnsafeGuaranteedRef { rule in
        node = rule.next
        return rule.checkNil != nil
      }
      if refuses { return true }
    }
    return false
  }

  func append(_ node: RuleNode<Value>) {
    node.bit = 1 << UInt64(min(count, 63))
    count += 1
    let node = Unmanaged.passRetained(node)
    if let last { last._withUnsafeGuaranteedRef { $0.next = node } } else { first = node }
    last = node
    if node._withUnsafeGuaranteedRef({ $0.check != nil }) {
      if let lastCheck {
        lastCheck._withUnsafeGuaranteedRef { $0.nextCheck = node }
      } else {
        firstCheck = node
      }
      lastCheck = node
    }
    noteAddedRule()
  }

  func append(_ rule: AsyncFieldRule<Value>) {
    asyncRules.append(rule)
    isSimple = false
    noteAddedRule(isAsync: true)
  }

  /// Asks the rules about a value, in order.
  ///
  /// - Returns: nil when all of them hold.
  @inlinable @inline(__always)
  final func issues(of value: Value?) -> [FieldIssue]? {
    guard let value else { return issuesOfNil() }
    var node = firstCheck
    while let current = node {
      if let issues = current._withUnsafeGuaranteedRef({ $0.check?(value) ?? nil }) {
        return self.issues(issues, and: current, of: value)
      }
      node = current._withUnsafeGuaranteedRef { $0.nextCheck }
    }
    return nil
  }

  /// Asks the rules after one that has found something.
  @usableFromInline
  final func issues(
    _ issues: [FieldIssue], and failed: Unmanaged<RuleNode<Value>>, of value: Value
  ) -> [FieldIssue] {
    var found = issues
    var (bits, node) = failed._withUnsafeGuaranteedRef { ($0.bit, $0.nextCheck) }
    while let current = node {
      if let more = current._withUnsafeGuaranteedRef({ $0.check?(value) ?? nil }) {
        found += more
        bits |= current._withUnsafeGuaranteedRef { $0.bit }
      }
      node = current._withUnsafeGuaranteedRef { $0.nextCheck }
    }
    failing = bits
    return found
  }

  @usableFromInline
  final func issuesOfNil() -> [FieldIssue]? {
    var found: [FieldIssue]?
    var bits: UInt64 = 0
    var node = first
    while let current = node {
      current._withUnsafeGuaranteedRef { rule in
        // Several rules refuse nil in the same words.
        if let issues = rule.checkNil?() {
          found = (found ?? []) + issues.filter { found?.contains($0) != true }
          bits |= rule.bit
        }
        node = rule.next
      }
    }
    if found != nil { failing = bits }
    return found
  }
}

/// One rule in the list of a field.
@usableFromInline
final class RuleNode<Value> {
  /// Nil where every value passes that is not nil.
  @usableFromInline let check: ((Value) -> [FieldIssue]?)?

  /// Nil where the rule accepts nil.
  let checkNil: (() -> [FieldIssue]?)?

  /// What tools call it.
  let name: String

  /// Its bit among the rules of the field that have found something; the 64th and later ones share
  /// one.
  @exclusivity(unchecked) var bit: UInt64 = 0

  @exclusivity(unchecked) var next: Unmanaged<RuleNode>?

  /// The next one that looks at values that are not nil.
  @exclusivity(unchecked) @usableFromInline var nextCheck: Unmanaged<RuleNode>?

  init(_ name: String, check: ((Value) -> [FieldIssue]?)?, checkNil: (() -> [FieldIssue]?)?) {
    self.name = name
    self.check = check
    self.checkNil = checkNil
  }
}

// MARK: - The rules of a field

/// A field that makes rules for values of its type.
private protocol RuledField: AnyField {
  func makeRules() -> FieldValidation
}

extension Field: RuledField {
  fileprivate func makeRules() -> FieldValidation { FieldRules<Value>() }
}

extension AnyField {
  /// The validation of the field alone, without the rules of its items.
  final var validation: FieldValidation? {
    // No other folder attaches anything.
    details?.attachment.map { unsafeDowncast($0, to: FieldValidation.self) }
  }

  /// The validation of the field and its items; nil where they have no rules.
  final var rules: FieldValidation? { itemized?.rulesWithItems ?? validation }

  /// The same, made if it has to be: of a ``Field`` for values of its type.
  final func ensureValidation() -> FieldValidation {
    if let validation { return validation }
    let made = (self as? any RuledField)?.makeRules() ?? FieldValidation()
    ensureDetails().attach(made)
    return made
  }
}

extension Field {
  final func ensureRules() -> FieldRules<Value> {
    // Made above, for values of this type.
    unsafeDowncast(ensureValidation(), to: FieldRules<Value>.self)
  }
}
