import FieldstoneCore
public import FieldstoneFields

/// A rule of a form, which depends on several of its fields.
struct FormRule {
  /// The fields that it depends on, each once.
  let sources: [AnyField]

  /// The field that shows its issues; nil for the form itself.
  let target: AnyField?
  let check: () -> Findings

  /// The issues of the target and of single items of it.
  struct Findings: Equatable {
    var issues: [FieldIssue] = []
    var itemIssues: [FieldItemID: [FieldIssue]] = [:]

    var isEmpty: Bool { issues.isEmpty && itemIssues.isEmpty }

    /// The issues without their items, for a form that does not have the field.
    var allIssues: [FieldIssue] { issues + itemIssues.values.joined() }
  }
}

extension FormModel {
  /// Adds a rule that depends on several fields.
  ///
  /// ```swift
  /// form.require(latitude, longitude, message: "must be given together") { latitude, longitude in
  ///   (latitude == nil) == (longitude == nil)
  /// }
  /// ```
  ///
  /// It runs before the rules of the fields. It runs again when one of its fields changes, even one
  /// that is not in the form. Its cost does not depend on the number of other rules.
  ///
  /// - Parameters:
  ///   - sources: the fields that the rule reads, and no others.
  ///   - target: the field that shows the issue; the form itself when it is nil.
  ///   - message: the text of the issue, after the target's name.
  ///   - code: a short stable name of the problem.
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
    return self
  }

  /// Adds a rule that depends on several fields and finds invalid items of one of them.
  ///
  /// ```swift
  /// form.require(legs, range, atItemsOf: legs, message: "is too far") { legs, range in
  ///   (legs ?? []).indices.filter { (legs ?? [])[$0] > range ?? .max }
  /// }
  /// ```
  ///
  /// It runs as other rules of the form do. An issue stays with its item when the item moves, and
  /// the field is invalid as long as one of its items is.
  ///
  /// - Parameters:
  ///   - sources: the fields that the rule reads, and no others.
  ///   - target: the array field whose items show the issues.
  ///   - message: the text of the issue, after the name of the item's field.
  ///   - code: a short stable name of the problem.
  ///   - failing: the indices of the items that fail; those outside of the array are ignored. When
  ///     it throws, the target "could not be validated".
  /// - Returns: the form, for the next rule.
  /// - Complexity: O(n) for n items, besides the closure's cost.
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
    return self
  }

  private func add(_ rule: FormRule) {
    for source in rules.add(rule, at: rule.target.flatMap { self[$0] }) where self[source] == nil {
      // Once for all rules that depend on it: a change runs them all.
      source.forEachChange(for: self) { [weak self, unowned source] in self?.sourceChanged(source) }
    }
  }

  /// Called for each change of a field that a rule depends on and that is not in the form.
  private func sourceChanged(_ source: AnyField) {
    checkRules(of: source, isDue: timing == .onSubmit ? wasSubmitted : true)
  }

  /// Runs all rules of the form.
  ///
  /// O(r) for r rules, besides their own cost.
  func checkAllRules() {
    check(Array(rules.indices))
  }

  /// Runs the rules that depend on a field.
  func checkRules(of field: FormField) {
    checkRules(of: field.field, isDue: mayValidateNow(field))
  }

  private func checkRules(of source: AnyField, isDue: Bool) {
    check(rules.places(lookingAt: source, isDue: isDue))
  }

  private func check(_ places: [Int]) {
    var targets: [FormField] = []
    for place in places {
      let found = rules[place].rule.check()
      guard rules.take(found, at: place) else { continue }
      guard let target = rules[place].target else {
        // The form does not have the target, which can't show the issue then.
        ownFindings.set(found, of: place)
        continue
      }
      target.formFindings.set(found, of: place)
      targets.append(target)
    }
    var settled: Set<Int> = []
    for target in targets where settled.insert(target.position).inserted { settle(target) }
  }

  /// Called when the findings of the form's rules about a field have changed.
  private func settle(_ field: FormField) {
    if field.hasFormErrors { field.field.giveUpAsyncRules() } else { askIfDue(field) }
    refresh(field)
  }
}

/// A check with the fields that it reads.
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

  /// The fields, each once.
  var all: [AnyField] {
    var all: [AnyField] = []
    for source in repeat each sources {
      if !all.contains(where: { $0 === source }) { all.append(source) }
    }
    return all
  }

  func callAsFunction() throws -> Finding {
    for source in repeat each sources { source.bringUpToDate() }
    // Read into a pack first: the compiler does not take it as an argument (Swift 6.3).
    let sources = sources
    let values: (repeat Optional<each Source>) = (repeat (each sources).storage)
    return try check(repeat each values)
  }
}

/// The rules of a form, and their findings.
///
/// The cost of one rule does not grow with the number of rules.
struct FormRules {
  /// A rule of the form.
  struct Entry {
    let rule: FormRule

    /// The target in the form; nil if the form itself shows the issues.
    let target: FormField?
    fileprivate(set) var found = FormRule.Findings()
    fileprivate(set) var wasChecked = false
  }

  private var entries: [Entry] = []
  private var placesBySource: [ObjectIdentifier: [Int]] = [:]

  var indices: Range<Int> { entries.indices }

  subscript(place: Int) -> Entry { entries[place] }

  /// Adds a rule.
  ///
  /// - Returns: the fields that no other rule depends on.
  mutating func add(_ rule: FormRule, at target: FormField?) -> [AnyField] {
    let place = entries.count
    entries.append(Entry(rule: rule, target: target))
    return rule.sources.filter { source in
      placesBySource[ObjectIdentifier(source), default: []].append(place)
      return placesBySource[ObjectIdentifier(source)]?.count == 1
    }
  }

  /// The indices of the rules that depend on a field, in their order.
  ///
  /// - Parameter isDue: whether rules are included that have not run before.
  func places(lookingAt source: AnyField, isDue: Bool) -> [Int] {
    let places = placesBySource[ObjectIdentifier(source)] ?? []
    return isDue ? places : places.filter { entries[$0].wasChecked }
  }

  /// Applies the findings of a rule.
  ///
  /// - Returns: whether they differ from the previous ones.
  mutating func take(_ found: FormRule.Findings, at place: Int) -> Bool {
    entries[place].wasChecked = true
    guard entries[place].found != found else { return false }
    entries[place].found = found
    return true
  }

  /// Drops the findings, as if the rules had not run.
  mutating func forget() {
    for place in indices {
      entries[place].found = FormRule.Findings()
      entries[place].wasChecked = false
    }
  }

  /// Restores earlier findings; rules added since then count as not run.
  mutating func restore(_ earlier: FormRules) {
    forget()
    for place in earlier.indices {
      entries[place].found = earlier[place].found
      entries[place].wasChecked = earlier[place].wasChecked
    }
  }

  /// Makes rules without findings wait for the form's timing again.
  mutating func waitAgain() {
    for place in indices { entries[place].wasChecked = !entries[place].found.isEmpty }
  }
}

/// The findings of a form's rules at one of its fields, or at the form itself.
struct FormFindings {
  private var foundByRule: [Int: FormRule.Findings] = [:]

  /// The number of rules that have found errors of the field itself.
  private var failedCount = 0

  /// The number of rules that have findings about items.
  private var itemRuleCount = 0

  var isEmpty: Bool { foundByRule.isEmpty }

  /// Whether the field itself has errors.
  var hasErrors: Bool { failedCount > 0 }

  /// Whether there are findings about items, which may have been removed.
  var hasItems: Bool { itemRuleCount > 0 }

  /// Replaces the findings of a rule.
  mutating func set(_ found: FormRule.Findings, of rule: Int) {
    if let before = foundByRule[rule] { count(before, by: -1) }
    foundByRule[rule] = found.isEmpty ? nil : found
    count(found, by: 1)
  }

  private mutating func count(_ found: FormRule.Findings, by step: Int) {
    if found.issues.contains(where: \.isError) { failedCount += step }
    if !found.itemIssues.isEmpty { itemRuleCount += step }
  }

  /// The findings, in the order of the rules.
  ///
  /// O(k log k) for k rules with findings.
  private var all: [FormRule.Findings] {
    foundByRule.valuesInOrder
  }

  /// The issues of the field itself.
  var issues: [FieldIssue] { isEmpty ? [] : all.flatMap(\.issues) }

  /// The issues of single items.
  var itemIssues: [FieldItemID: [FieldIssue]] {
    guard hasItems else { return [:] }
    return all.reduce(into: [:]) { $0.merge($1.itemIssues, uniquingKeysWith: +) }
  }

  /// All issues, for a form that does not have the field.
  var allIssues: [FieldIssue] { isEmpty ? [] : all.flatMap(\.allIssues) }
}
