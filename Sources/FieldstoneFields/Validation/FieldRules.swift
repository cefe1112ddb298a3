/// The rules of a field.
@usableFromInline
final class FieldRules<Value: Equatable & Sendable>: FieldValidation {
  // Owned by hand and linked without reference counting: validating retains nothing.
  @exclusivity(unchecked) @usableFromInline var first: Unmanaged<RuleNode<Value>>?
  private var last: Unmanaged<RuleNode<Value>>?

  private(set) var asyncRules: [AsyncFieldRule<Value>] = []

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
    let node = Unmanaged.passRetained(node)
    if let last { last._withUnsafeGuaranteedRef { $0.next = node } } else { first = node }
    last = node
    status = .unknown
    forgetAsync()
  }

  func append(_ rule: AsyncFieldRule<Value>) {
    asyncRules.append(rule)
    isSimple = false
    forgetAsync()
  }

  /// Asks the rules about a value, in order.
  ///
  /// - Returns: nil when all of them hold.
  @inlinable
  func issues(of value: Value?) -> [FieldIssue]? {
    var found: [FieldIssue]?
    var node = first
    guard let value else { return issuesOfNil() }
    while let current = node {
      current._withUnsafeGuaranteedRef { rule in
        if let issues = rule.check(value) { Self.add(issues, to: &found) }
        node = rule.next
      }
    }
    return found
  }

  @usableFromInline
  func issuesOfNil() -> [FieldIssue]? {
    var found: [FieldIssue]?
    var node = first
    while let current = node {
      current._withUnsafeGuaranteedRef { rule in
        // Several rules refuse nil in the same words.
        if let issues = rule.checkNil?() {
          Self.add(issues.filter { found?.contains($0) != true }, to: &found)
        }
        node = rule.next
      }
    }
    return found
  }

  @usableFromInline
  static func add(_ issues: [FieldIssue], to found: inout [FieldIssue]?) {
    found = (found ?? []) + issues
  }
}

/// One rule in the list of a field.
@usableFromInline
final class RuleNode<Value> {
  @usableFromInline let check: (Value) -> [FieldIssue]?

  /// Nil where the rule accepts nil.
  let checkNil: (() -> [FieldIssue]?)?

  @exclusivity(unchecked) @usableFromInline var next: Unmanaged<RuleNode>?

  init(check: @escaping (Value) -> [FieldIssue]?, checkNil: (() -> [FieldIssue]?)?) {
    self.check = check
    self.checkNil = checkNil
  }
}
