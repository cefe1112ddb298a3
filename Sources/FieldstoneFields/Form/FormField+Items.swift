/// One item of a field of several values, as a form shows it.
public struct FormItem: Sendable, Identifiable, Hashable {
  /// Who it is, wherever it moves.
  public let id: FieldItemID

  /// What is in its control: what was typed, or its value as text.
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
    return list.identities.map { identity in
      let draft = itemDrafts[identity]
      return FormItem(
        id: identity, text: draft?.text ?? list.text(of: identity),
        issues: draft?.issue.map { [$0] } ?? issues[identity] ?? [],
        isTouched: touchedItems.contains(identity),
        isModified: draft != nil || !list.isEqual(identity, in: baseline))
    }
  }

  /// How one item is put in.
  public var itemKind: FieldKind { adapter.list?.elementKind ?? .text }

  /// Takes what was typed for an item; an item that is not there any more is left alone.
  ///
  /// A text that can't be read stays as it was typed, and the item's value stays as it is.
  public func setText(_ text: String, of item: FieldItemID) {
    guard let list = adapter.list, list.identities.contains(item) else { return }
    let before = snapshot
    let draft = list.draft(of: text)
    if draft.issue == nil {
      itemDrafts[item] = nil
      list.set(draft, of: item, origin: .user)
    } else {
      itemDrafts[item] = draft
    }
    form?.textChanged(self, from: before)
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
