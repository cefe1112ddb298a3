/// A rule for values: it is a value itself, is given to fields, and combines with other rules.
///
/// ```swift
/// let even = FieldRule<Int>("must be even") { $0 % 2 == 0 }
/// let age = Field<Int>("Age").require(.range(0...150)).require(even)
/// ```
///
/// A rule judges values that are there. What it makes of nil, it says by ``acceptsNil``; ready
/// rules accept it, except those whose point it is not to.
public struct FieldRule<Value>: Sendable {
  /// Makes what checks values: once for each field, and used only where the field lives.
  ///
  /// The check gives nil when the value passes, so that passing allocates nothing.
  @usableFromInline let makeCheck: @Sendable () -> (Value) -> [FieldIssue]?

  /// Whether all values pass that are not nil, so that they need no check.
  @usableFromInline let isOnlyAboutNil: Bool

  /// Whether nil passes.
  public let acceptsNil: Bool

  @inlinable
  init(acceptsNil: Bool = true, makeCheck: @escaping @Sendable () -> (Value) -> [FieldIssue]?) {
    self.acceptsNil = acceptsNil
    self.makeCheck = makeCheck
    isOnlyAboutNil = false
  }

  /// Makes a rule that looks at nil only.
  @inlinable
  init(onlyAboutNil acceptsNil: Bool) {
    self.acceptsNil = acceptsNil
    makeCheck = { { _ in nil } }
    isOnlyAboutNil = true
  }

  /// Makes a rule from a check.
  ///
  /// - Parameters:
  ///   - message: the text of the issue, after the field's name: "must be even".
  ///   - code: what is wrong, as a short stable name.
  ///   - acceptsNil: whether nil passes.
  ///   - check: whether a value passes. When it throws, the value "could not be validated".
  @inlinable
  public init(
    _ message: String? = nil, code: String = "invalid", acceptsNil: Bool = true,
    _ check: @escaping @Sendable (Value) throws -> Bool
  ) {
    let issue = FieldIssue(code: code, message: message)
    self.init(acceptsNil: acceptsNil) {
      { value in
        do {
          return try check(value) ? nil : .failure(issue)
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Makes a rule that says itself what it has found.
  ///
  /// - Parameters:
  ///   - acceptsNil: whether nil passes.
  ///   - findings: the issues of a value; it passes when there are none. An error that is thrown
  ///     is a finding, too: a `FieldIssue` as it is, any other as "could not be validated".
  public static func issues(
    acceptsNil: Bool = true, _ findings: @escaping @Sendable (Value) throws -> [FieldIssue]
  ) -> FieldRule {
    FieldRule(acceptsNil: acceptsNil) {
      { value in
        do {
          let found = try findings(value)
          return found.isEmpty ? nil : found.map(\.asRule)
        } catch {
          return [.couldNotValidate(error)]
        }
      }
    }
  }
}

extension FieldIssue {
  /// An issue that a rule finds, with words of its own where they are given.
  @usableFromInline
  package init(code: String, message: String?, parameters: [String: String] = [:]) {
    self.init(code: code, parameters: parameters, source: .rule)
    if let message { self.parameters[Self.messageKey] = message }
  }

  /// The rule itself failed, so the result is unknown: code `couldNotValidate`, parameter `reason`.
  @usableFromInline
  package static func couldNotValidate(_ error: any Error) -> FieldIssue {
    if let issue = error as? FieldIssue { return issue.asRule }
    return FieldIssue(
      code: "couldNotValidate", message: nil, parameters: ["reason": reason(error)])
  }

  /// The value is nil and may not be: code `required`.
  @usableFromInline package static var required: FieldIssue {
    FieldIssue(code: "required", message: nil)
  }

  /// The same issue, found by a rule.
  var asRule: FieldIssue {
    var issue = self
    issue.source = .rule
    return issue
  }

  /// The same issue in other words, and no more than a warning where it shall be none.
  func worded(_ message: String?, _ severity: Severity) -> FieldIssue {
    var issue = self
    if let message { issue.parameters[Self.messageKey] = message }
    if severity == .warning { issue.severity = .warning }
    return issue
  }
}

extension FieldRule where Value: Sendable {
  /// All rules have to hold; what each of them finds is collected, in order.
  ///
  /// No rules at all hold always. (Seed: ModelBlocks' compound validator.)
  public static func all(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(acceptsNil: rules.allSatisfy(\.acceptsNil)) {
      let checks = rules.map { $0.makeCheck() }
      return { value in
        var found: [FieldIssue]?
        for check in checks {
          if let issues = check(value) { found = (found ?? []) + issues }
        }
        return found
      }
    }
  }

  /// All rules have to hold; only the issues of the first that fails are reported.
  ///
  /// The rules after it are not asked. A rule that only warns holds: its warnings are reported, too.
  public static func firstFailure(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(acceptsNil: rules.allSatisfy(\.acceptsNil)) {
      let checks = rules.map { $0.makeCheck() }
      return { value in
        var found: [FieldIssue]?
        for check in checks {
          guard let issues = check(value) else { continue }
          found = (found ?? []) + issues
          if issues.contains(where: \.isError) { break }
        }
        return found
      }
    }
  }

  /// One of the rules has to hold; no rules at all never hold.
  ///
  /// The issue of a value that fails is code `any` with what each rule finds as its alternatives;
  /// where there is one finding only, it is that. (Seed: ModelBlocks' or validator.)
  public static func any(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(acceptsNil: rules.contains(where: \.acceptsNil)) {
      let checks = rules.map { $0.makeCheck() }
      return { value in
        var found: [FieldIssue] = []
        for check in checks {
          guard let issues = check(value) else { return nil }
          // A rule that only warns holds.
          guard issues.contains(where: \.isError) else { return issues }
          found += issues
        }
        if found.count == 1 { return found }
        return [FieldIssue(code: "any", source: .rule, alternatives: found)]
      }
    }
  }

  /// Both rules have to hold; what each of them finds is collected.
  public static func && (left: FieldRule, right: FieldRule) -> FieldRule {
    .all([left, right])
  }

  /// One of the two rules has to hold.
  public static func || (left: FieldRule, right: FieldRule) -> FieldRule {
    .any([left, right])
  }
}
