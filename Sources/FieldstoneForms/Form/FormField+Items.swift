import FieldstoneCore
public import FieldstoneFields

/// One item of a field of several values, as a form displays it.
public struct FormItem: Sendable, Identifiable, Hashable {
  /// The item's identity, which stays when the item moves.
  public let id: FieldItemID

  /// The text in its control: the typed text, or its value as text.
  public let text: String

  /// All issues of the item.
  public let issues: [FieldIssue]

  /// Whether the user has visited the item.
  public let isTouched: Bool

  /// Whether it differs from the form's baseline, or was not in it.
  public let isModified: Bool
}

extension FormField {
  /// The items of a field of several values, in their order; empty for all other fields.
  ///
  /// O(n).
  public var items: [FormItem] {
    guard let list = adapter.list else { return [] }
    let issues = list.issues
    let formIssues = formFindings.itemIssues
    let all = reported.valuesInOrder.flatMap(\.self)
    let reports = Dictionary(grouping: all) { $0.path.first }
    return list.states(beside: baseline).enumerated().map { index, item in
      let draft = itemDrafts[item.id]
      let found = (issues[item.id] ?? []) + (formIssues[item.id] ?? [])
      let own = draft?.issue.map { [$0] } ?? found
      return FormItem(
        id: item.id, text: draft?.text ?? item.text,
        // Reports name an index, and any change drops them: no other item can be at that index.
        issues: own + (reports["\(index)"] ?? []), isTouched: touchedItems.contains(item.id),
        isModified: draft?.issue != nil || !item.isSame)
    }
  }

  /// The text of an item, as in ``items``; empty if the item no longer exists.
  ///
  /// O(1) if the item is at the index, otherwise O(n).
  package func text(of item: FieldItemID, at index: Int) -> String {
    itemDrafts[item]?.text ?? adapter.list?.text(of: item, at: index) ?? ""
  }

  /// How one item is entered.
  public var itemKind: FieldKind { adapter.list?.elementKind ?? .text }

  /// Sets the typed text of an item; an item that no longer exists is ignored.
  ///
  /// A text that can't be read stays as typed, and the item keeps its value. Setting the same text
  /// again does nothing.
  public func setText(_ text: String, of item: FieldItemID) {
    guard let list = adapter.list, list.identities.contains(item),
      !text.isIdentical(to: itemDrafts[item]?.text ?? list.text(of: item))
    else { return }
    recordForTransaction()
    var draft = list.draft(of: text)
    if draft.issue == nil {
      itemDrafts[item] = list.text(of: draft).isIdentical(to: text) ? nil : draft
      list.set(draft, of: item, origin: .user)
    } else {
      draft.beside = list.value(of: item)
      itemDrafts[item] = draft
    }
    form?.textChanged(self)
  }

  /// Adds an item at the end, made from typed text.
  ///
  /// - Returns: its identity; nil if the text can't be read, which becomes an issue of the field.
  @discardableResult
  public func appendItem(_ text: String) -> FieldItemID? {
    guard let list = adapter.list else { return nil }
    let draft = list.draft(of: text)
    typeNewItem(text)
    if let issue = draft.issue {
      // The line of a new item may be left several times with the same text.
      if !field.issues.contains(issue) {
        field.addIssue(issue)
        refusedItem = (text, issue)
      }
      form?.refresh(self)
      return nil
    }
    return list.append(draft)
  }

  /// Drops the issue of a new item that could not be read, if its line has another text now.
  ///
  /// - Parameter text: the text in the line; empty for none.
  package func typeNewItem(_ text: String) {
    guard let refused = refusedItem, !refused.text.isIdentical(to: text) else { return }
    refusedItem = nil
    var issues = field.addedIssues
    if let index = issues.lastIndex(of: refused.issue) {
      issues.remove(at: index)
      field.addedIssues = issues
    }
    form?.refresh(self)
  }

  /// Sets the typed texts of all items, by their places, as a page posts them.
  ///
  /// An empty text removes its item, unless the item was empty before. Items without a text are
  /// removed, and further texts are new items. If one of those can't be read, all texts stay as
  /// typed, as one text of the field: a new item has no identity that its text could be kept under.
  /// O(n).
  package func setItems(_ texts: [String]) {
    guard let list = adapter.list else { return }
    let states = list.states(beside: baseline)
    let before = list.values
    var (values, identities) = ([any Sendable](), [FieldItemID]())
    var drafts: [FieldItemID: ItemDraft] = [:]
    var isChanged = false
    let isOneText = unreadableItems != nil
    for (index, typed) in texts.enumerated() {
      let isNew = index >= states.count
      let id = isNew ? FieldItemID() : states[index].id
      let shown =
        isNew || isOneText && typed.isEmpty ? nil : itemDrafts[id]?.text ?? states[index].text
      if typed.isEmpty, shown?.isEmpty != true { continue }
      identities.append(id)
      if let shown, typed.isIdentical(to: shown) {
        drafts[id] = itemDrafts[id]
        values.append(before[index])
        continue
      }
      var draft: ItemDraft = list.draft(of: typed)
      if let value = draft.value {
        isChanged = true
        values.append(value)
        if !list.text(of: draft).isIdentical(to: typed) { drafts[id] = draft }
      } else if isNew {
        text = ListText.joining(texts.filter { !$0.isEmpty })
        return
      } else {
        draft.beside = before[index]
        drafts[id] = draft
        values.append(before[index])
      }
    }
    isChanged = isChanged || identities != states.map(\.id)
    if !isChanged, draft == nil, drafts.mapValues(\.text) == itemDrafts.mapValues(\.text) { return }
    recordForTransaction()
    draft = nil
    itemDrafts = drafts
    touchedItems.formIntersection(identities)
    if isChanged { list.set(values, identities: identities) }
    form?.textChanged(self)
  }

  /// The texts of the items while the field has one text that can't be read; nil otherwise.
  package var unreadableItems: [String]? {
    guard let list = adapter.list, let draft, draft.issue != nil else { return nil }
    return ListText.items(in: draft.text, haveCommas: list.hasCommas)
  }

  /// Whether the text of an item can't be read.
  package func isUnreadable(item text: String) -> Bool {
    (adapter.list?.draft(of: text) as ItemDraft?)?.issue != nil
  }

  /// Removes an item; an item that no longer exists is ignored.
  public func removeItem(_ item: FieldItemID) {
    recordForTransaction()
    itemDrafts[item] = nil
    touchedItems.remove(item)
    adapter.list?.remove(item)
  }

  /// Moves an item to another index; indices beyond the ends count as the ends.
  public func moveItem(_ item: FieldItemID, to index: Int) {
    adapter.list?.move(item, to: index)
  }

  /// Marks an item as visited by the user.
  public func touch(_ item: FieldItemID) {
    touchedItems.insert(item)
    isTouched = true
  }
}
