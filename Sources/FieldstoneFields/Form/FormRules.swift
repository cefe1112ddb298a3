import FieldstoneCore

/// The rules of a form, and what they have found.
///
/// What one of them finds costs nothing that grows with the others.
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

/// What the rules of a form have found at one of its fields, or at the form itself.
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

  /// What was found, in the order of the rules.
  ///
  /// O(k log k) for k rules that have found something.
  private var all: [FormRule.Findings] {
    foundByRule.valuesInOrder
  }

  /// What is wrong with the field itself.
  var issues: [FieldIssue] { isEmpty ? [] : all.flatMap(\.issues) }

  /// What is wrong with single items.
  var itemIssues: [FieldItemID: [FieldIssue]] {
    guard hasItems else { return [:] }
    return all.reduce(into: [:]) { $0.merge($1.itemIssues, uniquingKeysWith: +) }
  }

  /// All of it, for a form that does not have the field.
  var allIssues: [FieldIssue] { isEmpty ? [] : all.flatMap(\.allIssues) }
}
