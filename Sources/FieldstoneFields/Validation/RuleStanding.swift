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

  /// Each rule of the field itself: those that answer at once, then the asynchronous ones.
  ///
  /// Those of items are one.
  package var rules: [Rule] = []

  /// How far a rule has come with the value.
  package struct Rule: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
      case held
      case failed
      case asking
      case waiting(Debounce)
      case notRun(Reason)
    }

    /// Why a rule did not run.
    package enum Reason: Sendable, Hashable {
      /// It was not asked about this value.
      case notAsked
      /// Another field has changed since it was asked.
      case sourceChanged
      /// The value has changed while it was being asked about the one before.
      case givenUp
      /// There is no value, and nil passes.
      case noValue
      /// Asynchronous rules wait until all others hold.
      case othersFailed
    }

    /// Its name, code or message.
    package var name: String
    package var isAsynchronous = false
    package var isOfItems = false
    package var outcome: Outcome
  }

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
    var standing = RuleStanding(
      ruleCount: rules.ruleCount + (itemRules?.ruleCount ?? 0),
      asyncRuleCount: rules.asyncRuleCount + (itemRules?.asyncRuleCount ?? 0),
      progress: isCurrent ? .answered : .notAsked,
      asyncProgress: isCurrent ? asyncProgress : .notAsked, trigger: rules.trigger,
      sources: rules.sources.all.compactMap(\.name),
      found: (isCurrent ? rules.found : []) + rules.itemIssues.values.joined(),
      asyncFound: (isCurrent ? rules.asyncFound : []) + rules.asyncItemIssues.values.joined(),
      added: rules.added, debounces: rules.pending?.check.debounces ?? [])
    standing.rules = eachRule(rules, isCurrent: isCurrent)
    return standing
  }

  private func eachRule(_ rules: FieldValidation, isCurrent: Bool) -> [RuleStanding.Rule] {
    let missing: RuleStanding.Rule.Reason = rules.status == .unknown ? .notAsked : .sourceChanged
    let isNil = rules.isNil(self)
    let own = rules.ruleNames.map { rule in
      let outcome: RuleStanding.Rule.Outcome =
        if !isCurrent {
          .notRun(missing)
        } else if isNil, rule.passesNil {
          .notRun(.noValue)
        } else {
          rules.found.isEmpty || rules.failing & rule.bit == 0 ? .held : .failed
        }
      return RuleStanding.Rule(name: rule.name, outcome: outcome)
    }
    let asynchronous = rules.asyncRuleNames.enumerated().map { place, rule in
      let outcome: RuleStanding.Rule.Outcome =
        if !isCurrent {
          .notRun(rules.hasGivenUp ? .givenUp : missing)
        } else if rules.status == .failed {
          .notRun(.othersFailed)
        } else if isNil {
          .notRun(.noValue)
        } else {
          outcome(ofAsyncRule: place, debounce: rule.debounce, rules)
        }
      return RuleStanding.Rule(name: rule.name, isAsynchronous: true, outcome: outcome)
    }
    return own + outcomeOfItems(rules, isCurrent ? nil : missing) + asynchronous
  }

  private func outcome(
    ofAsyncRule place: Int, debounce: Duration, _ rules: FieldValidation
  ) -> RuleStanding.Rule.Outcome {
    switch rules.asyncStatus {
    case .unknown: .notRun(rules.hasGivenUp ? .givenUp : .notAsked)
    case .running:
      if let left = rules.pending?.check.rest(of: debounce) {
        .waiting(RuleStanding.Debounce(total: debounce, left: left))
      } else {
        .asking
      }
    case .done: rules.asyncFailing & 1 << UInt64(min(place, 63)) == 0 ? .held : .failed
    }
  }

  /// The rules of items as one: what each of them has found is not kept.
  private func outcomeOfItems(
    _ rules: FieldValidation, _ missing: RuleStanding.Rule.Reason?
  ) -> [RuleStanding.Rule] {
    let names = itemized?.itemRules?.ruleNames.map(\.name) ?? []
    if names.isEmpty { return [] }
    let outcome: RuleStanding.Rule.Outcome =
      missing.map { .notRun($0) } ?? (rules.itemIssues.isEmpty ? .held : .failed)
    return [
      RuleStanding.Rule(
        name: names.joined(separator: ", "), isOfItems: true, outcome: outcome)
    ]
  }
}
