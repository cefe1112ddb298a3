extension ArrayField {
  /// What is wrong with an item; it stays with the item where that moves.
  ///
  /// An item that gets another value has no issues until it is validated again.
  public func issues(of identity: FieldItemID) -> [FieldIssue] {
    if flags.contains(.isTracked) { noteAccess() }
    guard let validation = details?.validation else { return [] }
    return (validation.itemIssues[identity] ?? []) + (validation.asyncItemIssues[identity] ?? [])
  }

  /// The items' issues by identity.
  var issuesByItemNow: [FieldItemID: [FieldIssue]] {
    guard let validation = details?.validation else { return [:] }
    return validation.itemIssues.merging(validation.asyncItemIssues, uniquingKeysWith: +)
  }

  /// The rules of an item, which the inner field has.
  var elementRules: FieldRules<Element>? {
    element.details?.validation as? FieldRules<Element>
  }

  /// The array's own rules, which are asked again when a field changes that item rules look at.
  func rulesFollowing(_ elementRules: FieldRules<Element>) -> FieldValidation {
    let rules = ensureRules()
    if elementRules.onDependencyChange == nil {
      elementRules.onDependencyChange = { [weak self] in self?.dependencyHasChanged() }
    }
    for source in elementRules.sources where !rules.sources.contains(where: { $0 === source }) {
      rules.sources.append(source)
      rules.isSimple = false
    }
    return rules
  }

  /// Asks the rules of the items.
  func issuesByItem() -> [FieldItemID: [FieldIssue]] {
    guard let elementRules else { return [:] }
    var found: [FieldItemID: [FieldIssue]] = [:]
    for (identity, value) in zip(identities, storage ?? []) {
      found[identity] = elementRules.issues(of: value)
    }
    return found
  }

  /// What to ask the asynchronous rules of the items: those that have not answered about the values
  /// as they are.
  var questionsOfItems: [FieldCheck.Question] {
    guard let rules = elementRules?.asyncRules, !rules.isEmpty else { return [] }
    let answered = details?.validation?.answeredItems ?? [:]
    return zip(identities, storage ?? []).flatMap { identity, value in
      answered[identity] == rules.count
        ? []
        : rules.map { rule in
          FieldCheck.Question(debounce: rule.debounce, item: identity) {
            await rule.ask(about: value)
          }
        }
    }
  }

  /// The items' issues in their order, each with the index as its path.
  var indexedIssuesOfItems: [FieldIssue] {
    guard let validation = details?.validation,
      !validation.itemIssues.isEmpty || !validation.asyncItemIssues.isEmpty
    else { return [] }
    return identities.enumerated().flatMap { index, identity in
      issues(of: identity).map { $0.inside("\(index)") }
    }
  }

  /// Drops the issues and the answers of items that are gone or have another value.
  func keepIssues(of old: [Element], _ identitiesBefore: [FieldItemID]) {
    guard let validation = details?.validation,
      !validation.itemIssues.isEmpty || !validation.answeredItems.isEmpty
    else { return }
    let before = Dictionary(
      zip(identitiesBefore, old.indices), uniquingKeysWith: { first, _ in first })
    let now = Dictionary(
      zip(identities, (storage ?? []).indices), uniquingKeysWith: { first, _ in first })
    let isSame = { (identity: FieldItemID) in
      guard let was = before[identity], let index = now[identity] else { return false }
      return old[was] == self.storage?[index]
    }
    validation.itemIssues = validation.itemIssues.filter { isSame($0.key) }
    validation.asyncItemIssues = validation.asyncItemIssues.filter { isSame($0.key) }
    validation.answeredItems = validation.answeredItems.filter { isSame($0.key) }
  }
}
