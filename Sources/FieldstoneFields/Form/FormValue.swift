/// A field's value whatever its type, with what belongs to it: as undo and reset put it back.
struct FormValue {
  let value: any Sendable
  let isKnown: Bool
  /// The identities of the items, of a field that has items.
  var items: [FieldItemID] = []
}

/// What was typed, while it is not what the value looks like as text.
struct FormDraft {
  let text: String
  /// What was made of it; nil when it could not be read.
  let value: FormValue?
  /// Why it could not be read.
  let issue: FieldIssue?
  /// The field's revision that a text which can't be read stands beside; a set since takes its
  /// place.
  var revision = 0
}

/// What was typed for one item, while it is not what the item looks like as text.
struct ItemDraft {
  let text: String
  /// What was made of it; nil when it could not be read or there is nothing.
  let value: (any Sendable)?
  /// Why it could not be read.
  let issue: FieldIssue?
  /// The value of the item that a text which can't be read stands beside.
  var beside: (any Sendable)?
}

/// All that an edit may change of a field.
struct FormSnapshot {
  var value: FormValue
  var draft: FormDraft?
  var itemDrafts: [FieldItemID: ItemDraft] = [:]
}
