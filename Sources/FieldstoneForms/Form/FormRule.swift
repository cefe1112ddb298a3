import FieldstoneCore
public import FieldstoneFields

/// A rule of a form: it looks at several of its fields.
struct FormRule {
  /// The fields that it looks at, each once.
  let sources: [AnyField]

  /// The field that shows what is wrong; nil for the form itself.
  let target: AnyField?
  let check: () -> Findings

  /// The issues of the target and of single items of it.
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
  /// that is not in the form. It costs nothing for the other rules, however many there are.
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
    return self
  }

  private func add(_ rule: FormRule) {
    for source in rules.add(rule, at: rule.target.flatMap { self[$0] }) where self[source] == nil {
      // Once for all rules that look at it: each of them asks them all.
      source.forEachChange(for: self) { [weak self, unowned source] in self?.sourceChanged(source) }
    }
  }

  /// Called for each change of a field that a rule looks at and that is not in the form.
  private func sourceChanged(_ source: AnyField) {
    checkRules(of: source, isDue: timing == .onSubmit ? wasSubmitted : true)
  }

  /// Asks all rules of the form.
  ///
  /// O(r) for r rules, besides what they cost.
  func checkAllRules() {
    check(Array(rules.indices))
  }

  /// Asks the rules that look at a field.
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
        // A target that is not in the form can't show it.
        ownFindings.set(found, of: place)
        continue
      }
      target.formFindings.set(found, of: place)
      targets.append(target)
    }
    var settled: Set<Int> = []
    for target in targets where settled.insert(target.position).inserted { settle(target) }
  }

  /// Called when a form's rules have found something else about a field than before.
  private func settle(_ field: FormField) {
    if field.hasFormErrors {
      field.field.giveUpAsyncRules()
    } else if !phase.isBusy, field.field.lacksAsyncAnswers, mayValidateNow(field) {
      ask(field)
    }
    refresh(field)
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

/// The rules of a form, and what they have found.
///
/// The cost of one rule does not grow with the number of rules.
struct FormRules {
  /// A rule of the form.
  struct Entry {
    let rule: FormRule

    /// Its target as the form has it; nil where the form itself shows what is wrong.
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
  /// - Returns: the fields that no other rule has looked at.
  mutating func add(_ rule: FormRule, at target: FormField?) -> [AnyField] {
    let place = entries.count
    entries.append(Entry(rule: rule, target: target))
    return rule.sources.filter { source in
      placesBySource[ObjectIdentifier(source), default: []].append(place)
      return placesBySource[ObjectIdentifier(source)]?.count == 1
    }
  }

  /// The places of the rules that look at a field, in their order.
  ///
  /// - Parameter isDue: whether those are asked, too, that were not asked before.
  func places(lookingAt source: AnyField, isDue: Bool) -> [Int] {
    let places = placesBySource[ObjectIdentifier(source)] ?? []
    return isDue ? places : places.filter { entries[$0].wasChecked }
  }

  /// Takes what a rule has found.
  ///
  /// - Returns: whether that is something else than before.
  mutating func take(_ found: FormRule.Findings, at place: Int) -> Bool {
    entries[place].wasChecked = true
    guard entries[place].found != found else { return false }
    entries[place].found = found
    return true
  }

  /// Forgets what the rules have found, as if they had not been asked.
  mutating func forget() {
    for place in indices {
      entries[place].found = FormRule.Findings()
      entries[place].wasChecked = false
    }
  }

  /// Lets the rules wait for the timing again, but for those that have found something.
  mutating func waitAgain() {
    for place in indices { entries[place].wasChecked = !entries[place].found.isEmpty }
  }
}

/// The findings of a form's rules at one of its fields, or at the form itself.
struct FormFindings {
  private var foundByRule: [Int: FormRule.Findings] = [:]

  /// How many rules have found errors of the field itself.
  private var failedCount = 0

  /// How many rules have found something about items.
  private var itemRuleCount = 0

  var isEmpty: Bool { foundByRule.isEmpty }

  /// Whether the field itself is wrong.
  var hasErrors: Bool { failedCount > 0 }

  /// Whether something was found about items, which may be gone.
  var hasItems: Bool { itemRuleCount > 0 }

  /// Takes what a rule has found, instead of what it has found before.
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
  /// O(k log k) for k rules that have found something.
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

  /// All of it, for a form that does not have the field.
  var allIssues: [FieldIssue] { isEmpty ? [] : all.flatMap(\.allIssues) }
}
