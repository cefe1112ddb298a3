import FieldstoneCore
public import FieldstoneFields

/// One item of a field of several values, as a form shows it.
public struct FormItem: Sendable, Identifiable, Hashable {
  /// The item's identity, which stays when the item moves.
  public let id: FieldItemID

  /// The text in its control: the typed text, or its value as text.
  public let text: String

  /// All that is wrong with it.
  public let issues: [FieldIssue]

  /// Whether the person has been here.
  public let isTouched: Bool

  /// Whether it differs from what the form was filled with, or was not there then.
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
        // Reports name a place, and go with any change: no other item can have come there.
        issues: own + (reports["\(index)"] ?? []), isTouched: touchedItems.contains(item.id),
        isModified: draft?.issue != nil || !item.isSame)
    }
  }

  /// How one item is put in.
  public var itemKind: FieldKind { adapter.list?.elementKind ?? .text }

  /// Takes what was typed for an item; an item that is not there any more is left alone.
  ///
  /// A text that can't be read stays as it was typed, and the item's value stays as it is. The text
  /// that is there already does nothing.
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

  /// Adds an item at the end, made of what was typed.
  ///
  /// - Returns: its identity; nil when the text can't be read, which is then an issue of the field.
  @discardableResult
  public func appendItem(_ text: String) -> FieldItemID? {
    guard let list = adapter.list else { return nil }
    let draft = list.draft(of: text)
    if let issue = draft.issue {
      field.addIssue(issue)
      form?.refresh(self)
      return nil
    }
    return list.append(draft)
  }

  /// Removes an item; one that is not there any more is left alone.
  public func removeItem(_ item: FieldItemID) {
    itemDrafts[item] = nil
    touchedItems.remove(item)
    adapter.list?.remove(item)
  }

  /// Moves an item to another place; indices beyond the ends count as the ends.
  public func moveItem(_ item: FieldItemID, to index: Int) {
    adapter.list?.move(item, to: index)
  }

  /// Says that the person has been at an item.
  public func touch(_ item: FieldItemID) {
    touchedItems.insert(item)
    isTouched = true
  }
}
