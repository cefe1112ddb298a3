#if INSPECTOR
  import FieldstoneFields
  import FieldstoneForms

  extension WatchedState {
    /// The rules of the fields that have rules; nil if no field has any.
    ///
    /// The table shows the reason of the last validation, its findings, and the remaining debounce
    /// of asynchronous rules.
    static func rules(of fields: [FormFieldCopy]) -> Table? {
      let rows = fields.compactMap { field in
        field.standing.map { standing in
          [
            field.key, RuleText.count(standing), RuleText.trigger(standing),
            RuleText.findings(standing, of: field), RuleText.asynchronous(standing),
          ]
        }
      }
      if rows.isEmpty { return nil }
      return Table(
        title: "Rules", columns: ["Field", "Rules", "Asked last", "Found", "Asynchronous"],
        rows: rows, note: nil)
    }

    /// Each rule of the fields: whether it held, and why not or why it did not run.
    static func eachRule(of fields: [FormFieldCopy]) -> [Table] {
      let rows = fields.flatMap { field in
        (field.standing?.rules ?? []).prefix(50).map { rule in
          [
            field.key, RuleText.name(of: rule), RuleText.kind(of: rule),
            RuleText.outcome(rule, of: field),
          ]
        }
      }
      if rows.isEmpty { return [] }
      return [
        Table(
          title: "Each rule", columns: ["Field", "Rule", "Kind", "Result"], rows: rows, note: nil)
      ]
    }
  }

  /// The validation status of a field's rules, in words.
  enum RuleText {
    /// The whole status on one line.
    static func line(_ standing: RuleStanding) -> String {
      [
        count(standing), "asked " + trigger(standing), findings(standing),
        standing.asyncRuleCount > 0 ? "asynchronous: " + asynchronous(standing) : nil,
      ].compactMap { $0 }.joined(separator: "; ")
    }

    /// The number of rules: 3, or 2 + 1 asynchronous.
    static func count(_ standing: RuleStanding) -> String {
      let more = standing.asyncRuleCount
      return "\(standing.ruleCount)" + (more > 0 ? " + \(more) asynchronous" : "")
    }

    /// The reason of the last validation.
    static func trigger(_ standing: RuleStanding) -> String {
      switch standing.trigger {
      case .none: "never"
      case .call: "by a call"
      case .form: "with the whole form"
      case .change: "as the field changed"
      case .blur: "as the field was left"
      case .dependency: "as " + standing.sources.joined(separator: " or ") + " changed"
      }
    }

    /// The codes of the failed rules, with their kind.
    static func findings(_ standing: RuleStanding) -> String {
      func codes(_ issues: [FieldIssue], _ kind: String) -> [String] {
        issues.prefix(10).map { issue in
          let marks = [issue.isError ? "" : "warning", kind].filter { !$0.isEmpty }
          return issue.code + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
        }
      }
      let all =
        codes(standing.found, "") + codes(standing.asyncFound, "asynchronous")
        + codes(standing.added, "from outside")
      if !all.isEmpty { return all.joined(separator: ", ") }
      return standing.progress == .answered ? "all hold" : "not asked about this value"
    }

    /// The same, with the form's own findings, such as a text that can't be parsed.
    static func findings(_ standing: RuleStanding, of field: FormFieldCopy) -> String {
      let known = standing.found + standing.asyncFound + standing.added
      let others = field.state.issues.filter { !known.contains($0) }
      if others.isEmpty { return findings(standing) }
      let codes = others.prefix(10).map { "\($0.code) (form)" }
      return (codes + (known.isEmpty ? [] : [findings(standing)])).joined(separator: ", ")
    }

    /// The name, code or message of a rule.
    static func name(of rule: RuleStanding.Rule) -> String { rule.name.shortened(to: 200) }

    /// When a rule is asked, and about what.
    static func kind(of rule: RuleStanding.Rule) -> String {
      if rule.isAsynchronous { return "asynchronous" }
      return rule.isOfItems ? "of each item" : "at once"
    }

    /// Whether a rule of a form's field held, and why it did not run.
    static func outcome(_ rule: RuleStanding.Rule, of field: FormFieldCopy) -> String {
      // The form asks no asynchronous rule about a text that can't be read, nor after its own rules
      // have found an error.
      if rule.isAsynchronous, case .notRun = rule.outcome, let standing = field.standing,
        hasOtherErrors(than: standing, field)
      {
        return "did not run: the form's own finding comes first"
      }
      return outcome(rule)
    }

    /// Whether a form has found an error beside those of a field's own rules.
    private static func hasOtherErrors(than standing: RuleStanding, _ field: FormFieldCopy) -> Bool
    {
      let known = standing.found + standing.asyncFound + standing.added
      return field.state.issues.contains { $0.isError && !known.contains($0) }
    }

    private static func outcome(_ rule: RuleStanding.Rule) -> String {
      switch rule.outcome {
      case .held: "held"
      case .failed: "failed"
      case .asking: "being asked"
      case .waiting(let debounce):
        "waits: \(seconds(debounce.left)) left of \(seconds(debounce.total))"
      case .notRun(.notAsked): "did not run: not asked about this value"
      case .notRun(.sourceChanged): "did not run: another field has changed since"
      case .notRun(.givenUp): "did not run: the value changed while it was asked"
      case .notRun(.noValue): "did not run: there is no value"
      case .notRun(.othersFailed): "did not run: the rules before it failed"
      }
    }

    /// The state of asynchronous rules, and the rest of their debounce.
    static func asynchronous(_ standing: RuleStanding) -> String {
      if standing.asyncRuleCount == 0 { return "none" }
      switch standing.asyncProgress {
      case .notAsked: return "not asked"
      case .answered: return "answered"
      case .asking:
        if standing.debounces.isEmpty { return "being asked" }
        return standing.debounces.map { debounce in
          "\(seconds(debounce.left)) left of \(seconds(debounce.total))"
        }.joined(separator: ", ")
      }
    }

    /// Hundredths of a second, rounded up, so that zero means the end.
    private static func seconds(_ duration: Duration) -> String {
      // Values out of range are clamped.
      let hundredths = Int(min(max(duration / .milliseconds(10), 0), 1e13).rounded(.up))
      let rest = hundredths % 100
      return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
  }
#endif
