/// Why the rules of a field were asked last.
package enum ValidationTrigger: UInt8, Sendable {
  /// They were not asked yet.
  case none
  /// A call asked them, of a screen or of the field itself.
  case call
  /// The form asked all its fields, as before it is submitted.
  case form
  /// The value or its text has changed.
  case change
  /// A person was done with the field.
  case blur
  /// Another field has changed that a rule looks at.
  case dependency
}

/// How far the rules of a field have come with its value, for tools that show it.
package struct RuleStanding: Sendable, Hashable {
  /// How far rules of one kind have come.
  package enum Progress: Sendable, Hashable {
    case notAsked
    case asking
    case answered
  }

  /// How many rules there are that answer at once, those for items included.
  package var ruleCount: Int
  /// How many rules there are that are asked asynchronously, those for items included.
  package var asyncRuleCount: Int
  /// How far the rules have come that answer at once.
  package var progress: Progress
  /// How far the asynchronous rules have come.
  package var asyncProgress: Progress
  /// Why the rules were asked last.
  package var trigger: ValidationTrigger
  /// The names of other fields that rules look at.
  package var sources: [String]
  /// What rules that answer at once have found.
  package var found: [FieldIssue]
  /// What asynchronous rules have found.
  package var asyncFound: [FieldIssue]
  /// What was added from outside, as by a server.
  package var added: [FieldIssue]
  /// The debounces before open questions, as they were and what is left of each; none that is over.
  package var debounces: [Debounce]

  /// A debounce that is not over.
  package struct Debounce: Sendable, Hashable {
    package var total: Duration
    package var left: Duration
  }
}

extension AnyField {
  /// How far the rules have come with the value as it is; nil for a field without rules.
  ///
  /// Nothing is kept for it but a byte, and the time when asynchronous rules were asked. O(n) in the
  /// number of issues.
  package final var ruleStanding: RuleStanding? {
    if flags.contains(.isTracked) { details?.tracker?.noteAccess() }
    let itemRules = itemized?.itemRules
    guard let rules, !rules.isEmpty || itemRules?.isEmpty == false || rules.hasAdded else {
      return nil
    }
    let isCurrent = rules.isCurrent
    let asyncProgress: RuleStanding.Progress =
      switch rules.asyncStatus {
      case .unknown: .notAsked
      case .running: .asking
      case .done: .answered
      }
    return RuleStanding(
      ruleCount: rules.ruleCount + (itemRules?.ruleCount ?? 0),
      asyncRuleCount: rules.asyncRuleCount + (itemRules?.asyncRuleCount ?? 0),
      progress: isCurrent ? .answered : .notAsked,
      asyncProgress: isCurrent ? asyncProgress : .notAsked, trigger: rules.trigger,
      sources: rules.sources.compactMap(\.name),
      found: (isCurrent ? rules.found : []) + rules.itemIssues.values.joined(),
      asyncFound: (isCurrent ? rules.asyncFound : []) + rules.asyncItemIssues.values.joined(),
      added: rules.added, debounces: rules.pending?.check.debounces ?? [])
  }
}
