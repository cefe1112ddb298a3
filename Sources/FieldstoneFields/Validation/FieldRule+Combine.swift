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
