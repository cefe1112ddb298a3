/// A rule for the values of fields; it is a value itself, and combines with other rules.
///
/// ```swift
/// let even = FieldRule<Int>("must be even") { $0 % 2 == 0 }
/// let age = Field<Int>("Age").require(.range(0...150)).require(even)
/// ```
///
/// A rule checks values that are not nil. ``acceptsNil`` says whether nil passes; it does with all
/// ready rules, except those that exist to refuse it.
public struct FieldRule<Value>: Sendable {
  /// Makes the check: once for each field, and used only where the field lives.
  ///
  /// The check returns nil when the value passes, so that passing allocates nothing.
  @usableFromInline let makeCheck: @Sendable () -> (Value) -> [FieldIssue]?

  /// Whether every value except nil passes, so that values need no check.
  @usableFromInline let isOnlyAboutNil: Bool

  /// Whether nil passes.
  public let acceptsNil: Bool

  /// What tools call it: the name of a ready rule, else its code, or its message in place of the
  /// usual code.
  @usableFromInline let name: String

  @inlinable
  init(
    named name: String, acceptsNil: Bool = true,
    makeCheck: @escaping @Sendable () -> (Value) -> [FieldIssue]?
  ) {
    self.name = name
    self.acceptsNil = acceptsNil
    self.makeCheck = makeCheck
    isOnlyAboutNil = false
  }

  /// Makes a rule that checks for nil only.
  @inlinable
  init(onlyAboutNil acceptsNil: Bool) {
    name = "notNil"
    self.acceptsNil = acceptsNil
    makeCheck = { { _ in nil } }
    isOnlyAboutNil = true
  }

  /// Makes a rule from a check.
  ///
  /// - Parameters:
  ///   - message: the text of the issue, after the field's name: "must be even".
  ///   - code: a short stable name of the problem.
  ///   - acceptsNil: whether nil passes.
  ///   - check: whether a value passes. When it throws, the value "could not be validated".
  @inlinable
  public init(
    _ message: String? = nil, code: String = "invalid", acceptsNil: Bool = true,
    _ check: @escaping @Sendable (Value) throws -> Bool
  ) {
    let issue = FieldIssue(code: code, message: message)
    self.init(named: .ruleName(code: code, message: message), acceptsNil: acceptsNil) {
      { value in
        do {
          return try check(value) ? nil : .failure(issue)
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Makes a rule from a closure that returns the issues of a value.
  ///
  /// - Parameters:
  ///   - acceptsNil: whether nil passes.
  ///   - findings: the issues of a value; it passes when there are none. A thrown error is an
  ///     issue, too: a `FieldIssue` stays as it is, any other becomes "could not be validated".
  public static func issues(
    acceptsNil: Bool = true, _ findings: @escaping @Sendable (Value) throws -> [FieldIssue]
  ) -> FieldRule {
    FieldRule(named: "issues", acceptsNil: acceptsNil) {
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

extension String {
  /// What tools call a rule: its code, or its message in place of the usual code.
  @usableFromInline
  package static func ruleName(code: String, message: String?) -> String {
    code == "invalid" ? message ?? code : code
  }
}

extension FieldIssue {
  /// Makes an issue of a rule, with its own message if one is given.
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

  /// Returns the issue with another message if one is given, and as a warning if that is the
  /// severity.
  func worded(_ message: String?, _ severity: Severity) -> FieldIssue {
    var issue = self
    if let message { issue.parameters[Self.messageKey] = message }
    if severity == .warning { issue.severity = .warning }
    return issue
  }
}

extension FieldRule where Value: Sendable {
  /// All rules have to hold; the issues of all rules are collected in order.
  ///
  /// An empty list always holds. (Seed: ModelBlocks' compound validator.)
  public static func all(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(named: "all", acceptsNil: rules.allSatisfy(\.acceptsNil)) {
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
  /// Later rules are not run. A rule that only warns holds: its warnings are reported, too.
  public static func firstFailure(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(named: "firstFailure", acceptsNil: rules.allSatisfy(\.acceptsNil)) {
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

  /// One of the rules has to hold; an empty list never holds.
  ///
  /// A value that fails has an issue `any`, with the issues of all rules as its alternatives. A
  /// single issue is reported by itself. (Seed: ModelBlocks' or validator.)
  public static func any(_ rules: [FieldRule]) -> FieldRule {
    FieldRule(named: "any", acceptsNil: rules.contains(where: \.acceptsNil)) {
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

  /// Both rules have to hold; the issues of both are collected.
  public static func && (left: FieldRule, right: FieldRule) -> FieldRule {
    .all([left, right])
  }

  /// One of the two rules has to hold.
  public static func || (left: FieldRule, right: FieldRule) -> FieldRule {
    .any([left, right])
  }
}
