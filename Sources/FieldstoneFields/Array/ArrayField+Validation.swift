extension ArrayField: ItemizedField {
  /// The issues of an item; they stay with the item when it moves.
  ///
  /// An item whose value is replaced has no issues until it is validated again.
  public func issues(of identity: FieldItemID) -> [FieldIssue] {
    if flags.contains(.isTracked) { noteAccess() }
    guard let validation else { return [] }
    return (validation.itemIssues[identity] ?? []) + (validation.asyncItemIssues[identity] ?? [])
  }

  /// The items' issues by identity.
  package var issuesByItemNow: [FieldItemID: [FieldIssue]] {
    guard let validation else { return [:] }
    return validation.itemIssues.merging(validation.asyncItemIssues, uniquingKeysWith: +)
  }

  /// The rules of an item, which are those of the inner field.
  private var elementRules: FieldRules<Element>? {
    element.validation as? FieldRules<Element>
  }

  var itemRules: FieldValidation? { element.validation }

  /// The array's own rules; they run again when a field changes that the item rules depend on.
  var rulesWithItems: FieldValidation? {
    guard let elementRules else { return validation }
    let rules = ensureRules()
    if !rules.isKnownToItemRules {
      rules.isKnownToItemRules = true
      elementRules.add(self)
      // The array may have been validated before its items had rules.
      if !elementRules.isEmpty { rules.noteAddedRule() }
    }
    for source in elementRules.sources.all where rules.sources.insert(source) {
      rules.isSimple = false
    }
    return rules
  }

  /// Runs the rules of the items.
  ///
  /// - Parameter all: whether to check items again whose values were already checked.
  func issuesByItem(all: Bool) -> [FieldItemID: [FieldIssue]] {
    guard let elementRules else { return [:] }
    let (identities, values) = (identities, storage ?? [])
    guard !all, let validation, !validation.uncheckedItems.isAll else {
      var found: [FieldItemID: [FieldIssue]] = [:]
      for (identity, value) in zip(identities, values) {
        if let issues = elementRules.issues(of: value) { found[identity] = issues }
      }
      return found
    }
    var found = validation.itemIssues
    for place in validation.uncheckedItems.places(in: identities) {
      if let issues = elementRules.issues(of: values[place]) { found[identities[place]] = issues }
    }
    return found
  }

  /// The checks of asynchronous rules for the items whose current values have no result yet.
  var questionsOfItems: [FieldCheck.Question] {
    guard let rules = elementRules?.asyncRules, !rules.isEmpty else { return [] }
    let answered = validation?.answeredItems ?? [:]
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
  var issuesInOrder: [FieldIssue] {
    guard let validation,
      !validation.itemIssues.isEmpty || !validation.asyncItemIssues.isEmpty
    else { return [] }
    // Noted once, and not for each item: a form's text drafts read the issues at each key.
    if flags.contains(.isTracked) { noteAccess() }
    return identities.enumerated().flatMap { index, identity in
      let found =
        (validation.itemIssues[identity] ?? []) + (validation.asyncItemIssues[identity] ?? [])
      return found.map { $0.inside("\(index)") }
    }
  }

  /// Drops the results of an item that an edit has added, removed or replaced.
  ///
  /// - Parameter old: the value of an item before it was replaced.
  func forgetIssues(of items: EditedItems, replacing old: Element?) {
    guard let validation else { return }
    switch items {
    case .moved, .any: return
    case .added(let item, let place): validation.uncheckedItems.insert(item, at: place)
    case .removed(let item):
      validation.uncheckedItems.remove(item)
      validation.forgetItem(item)
    case .replaced(let item, let place):
      if isSame(old, storage?[place]) { return }
      validation.uncheckedItems.insert(item, at: place)
      validation.forgetItem(item)
    }
  }

  /// Drops the results of items that were removed or have another value.
  func forgetIssues(replacing old: [Element], _ before: [FieldItemID]) {
    guard let validation, validation.knowsItems else { return }
    let was = Dictionary(zip(before, old), uniquingKeysWith: { first, _ in first })
    let now = Dictionary(zip(identities, storage ?? []), uniquingKeysWith: { first, _ in first })
    validation.keepItems { isSame(was[$0], now[$0]) && now[$0] != nil }
    for (place, identity) in identities.enumerated()
    where !isSame(was[identity], now[identity]) {
      validation.uncheckedItems.insert(identity, at: place)
    }
  }

  /// Drops the results of removed items, and marks the items at some places as unchecked.
  func forgetIssues(andCheck fresh: [Range<Int>]) {
    guard let validation, validation.knowsItems else { return }
    if validation.hasItemFindings {
      let now = Set(identities)
      validation.keepItems { now.contains($0) }
    }
    if fresh.reduce(0, { $0 + $1.count }) > identities.count / 2 {
      validation.uncheckedItems.insertAll()
    } else {
      for place in fresh.joined() { validation.uncheckedItems.insert(identities[place], at: place) }
    }
  }
}
