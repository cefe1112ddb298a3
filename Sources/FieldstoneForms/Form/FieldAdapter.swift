public import FieldstoneFields
import Foundation

/// The access of a form to a field, whatever the type of its value.
///
/// The builder that lists the field makes it, where the type is still known.
class FieldAdapter {
  final let field: AnyField
  final let kind: FieldKind

  init(_ field: AnyField, kind: FieldKind) {
    self.field = field
    self.kind = kind
  }

  /// The current value.
  var value: FormValue { FormValue(value: Int?.none, isKnown: false) }

  /// Restores a value that was read from this field.
  func set(_ value: FormValue, origin: ChangeOrigin) {}

  /// Whether two values of this field are the same.
  func areEqual(_ left: FormValue, _ right: FormValue) -> Bool { true }

  /// The text of the value; empty if it is nil, or its type has no text.
  var text: String { "" }

  /// Copies the value, and makes the beginning of its text when the closure is called, on any thread.
  var laterText: @Sendable (_ length: Int) -> String { { _ in "" } }

  /// The text of a value of this field.
  func text(of value: FormValue) -> String { "" }

  /// Makes the beginning of the text of a value of this field when the closure is called, on any
  /// thread.
  func laterText(of value: FormValue) -> @Sendable (_ length: Int) -> String { { _ in "" } }

  /// The type of a single value, as Swift writes it.
  var valueType: String { "" }

  /// Whether its text can be typed, or at least displayed.
  var hasTextFormat: Bool { true }

  /// Makes a value from typed text, without setting it.
  func draft(of text: String) -> FormDraft {
    FormDraft(text: text, value: nil, issue: .noTransformer(for: type(of: field)))
  }

  /// Makes a value from typed text, in a form that was filled with a value.
  ///
  /// An empty text stands for nil if the form was filled with nil, whatever the format makes of it:
  /// typing and clearing a text modifies nothing.
  final func draft(of text: String, beside baseline: FormValue) -> FormDraft {
    if text.isEmpty, isNil(baseline) {
      let value = FormValue(value: baseline.value, isKnown: true)
      return FormDraft(text: text, value: value, issue: nil)
    }
    return draft(of: text)
  }

  /// Whether a value of this field is nil.
  func isNil(_ value: FormValue) -> Bool { false }

  /// The access to the items of a field; nil if it has none.
  var list: (any FieldItemsAdapter)? { nil }

  /// The presentation of the items, in a field that has items.
  var elementPresentation: FieldPresentation? { nil }

  /// An issue of the field with its dates as the field's text has them.
  func shown(_ issue: FieldIssue) -> FieldIssue { issue }

  /// Whether its texts suit a web page's control of its kind.
  var hasWebTexts: Bool { false }

  /// The time zone in which its dates are typed; nil for the user's, and for fields without dates.
  var timeZone: TimeZone? { nil }

  /// Calls a closure with each set, including sets of equal values, as long as the field lives.
  func observe(_ body: @escaping (FormChange) -> Void) {}
}

/// A set of a field, whatever the type of its value.
struct FormChange {
  let origin: ChangeOrigin
  /// The field's revision after it.
  let revision: Int
  /// The field at which its wave of bindings began.
  let root: ObjectIdentifier?
}

/// The access of a form to the items of a field.
protocol FieldItemsAdapter {
  var identities: [FieldItemID] { get }
  func text(of item: FieldItemID) -> String
  /// The text of an item that is probably at an index; O(1) if it is.
  func text(of item: FieldItemID, at index: Int) -> String
  func text(of draft: ItemDraft) -> String
  func value(of item: FieldItemID) -> (any Sendable)?
  func draft(of text: String) -> ItemDraft
  func standing(_ drafts: [FieldItemID: ItemDraft]) -> [FieldItemID: ItemDraft]
  /// The values of all items.
  var values: [any Sendable] { get }
  /// Whether a comma inside of an item's text is usual.
  var hasCommas: Bool { get }
  func set(_ draft: ItemDraft, of item: FieldItemID, origin: ChangeOrigin)
  /// Sets all items with their identities.
  func set(_ values: [any Sendable], identities: [FieldItemID])
  func append(_ draft: ItemDraft) -> FieldItemID?
  func remove(_ item: FieldItemID)
  func move(_ item: FieldItemID, to index: Int)
  func states(beside baseline: FormValue) -> [ItemState]
  var elementKind: FieldKind { get }
  var issues: [FieldItemID: [FieldIssue]] { get }
}

/// The current state of an item.
struct ItemState {
  let id: FieldItemID
  let text: String
  /// Whether it has the same value as in a baseline.
  let isSame: Bool
}

/// A field of any type.
class ValueAdapter<Value: Equatable & Sendable>: FieldAdapter {
  final let typed: Field<Value>

  init(_ field: Field<Value>) {
    typed = field
    let usual = field is any ItemsField ? FieldKind.list : field.textFormat?.kind
    super.init(field, kind: field.appearance?.presentation?.kind ?? usual ?? .text)
  }

  override var value: FormValue {
    FormValue(value: typed.storage, isKnown: typed.isKnown)
  }

  override func set(_ value: FormValue, origin: ChangeOrigin) {
    guard let new = value.value as? Value? else { return }
    typed.set(new, origin: origin)
    if !value.isKnown { typed.forgetThatNilIsKnown() }
  }

  override func areEqual(_ left: FormValue, _ right: FormValue) -> Bool {
    guard let old = left.value as? Value?, let new = right.value as? Value? else { return false }
    // On a screen, an unknown value and nil look the same.
    return isSame(old, new)
  }

  override func isNil(_ value: FormValue) -> Bool {
    guard let value = value.value as? Value? else { return false }
    return value == nil
  }

  override var valueType: String { "\(Value.self)" }

  override var hasTextFormat: Bool { typed.textFormat != nil || typed is any ItemsField }

  override var text: String {
    guard let value = typed.value, let format = typed.textFormat else { return "" }
    return format.print(value)
  }

  override var laterText: @Sendable (_ length: Int) -> String { laterText(typed.value) }

  override func laterText(of value: FormValue) -> @Sendable (_ length: Int) -> String {
    laterText((value.value as? Value?) ?? nil)
  }

  private func laterText(_ value: Value?) -> @Sendable (_ length: Int) -> String {
    guard let value, let format = typed.textFormat else { return { _ in "" } }
    return { String(format.print(value).prefix($0)) }
  }

  override func text(of value: FormValue) -> String {
    guard let value = value.value as? Value?, let value, let format = typed.textFormat else {
      return ""
    }
    return format.print(value)
  }

  override func shown(_ issue: FieldIssue) -> FieldIssue {
    guard Value.self == Date.self, let format = typed.textFormat as? FieldTextFormat<Date> else {
      return issue
    }
    var issue = issue
    issue.parameters = issue.parameters.mapValues { ISO8601.date($0).map(format.print) ?? $0 }
    return issue
  }

  override var hasWebTexts: Bool { typed.textFormat?.isForWebControls ?? false }

  override var timeZone: TimeZone? {
    guard Value.self == Date.self else { return nil }
    let zone = typed.textFormat?.timeZone ?? typed.transformer?.timeZone
    return zone == .autoupdatingCurrent ? nil : zone
  }

  override func draft(of text: String) -> FormDraft {
    guard let format = typed.textFormat else {
      return FormDraft(text: text, value: nil, issue: .noTransformer(for: Value.self))
    }
    do throws(FieldIssue) {
      let value = try format.value(of: text)
      return FormDraft(text: text, value: FormValue(value: value, isKnown: true), issue: nil)
    } catch {
      return FormDraft(text: text, value: nil, issue: error)
    }
  }

  override func observe(_ body: @escaping (FormChange) -> Void) {
    // A set of an equal value replaces a text that could not be read.
    typed.observeForForm { body(FormChange(origin: $0, revision: $1, root: $2)) }
  }
}

/// An array field of any type.
final class ArrayAdapter<Element: Equatable & Sendable>: ValueAdapter<[Element]>,
  FieldItemsAdapter
{
  private let array: ArrayField<Element>

  init(_ field: ArrayField<Element>) {
    array = field
    super.init(field)
  }

  override var value: FormValue {
    FormValue(value: array.storage, isKnown: array.isKnown, items: array.identities)
  }

  override func set(_ value: FormValue, origin: ChangeOrigin) {
    guard let new = value.value as? [Element]? else { return }
    if value.items.count == new?.count ?? 0 {
      array.set(new, identities: value.items, origin: origin)
    } else {
      array.set(new, origin: origin)
    }
    if !value.isKnown { array.forgetThatNilIsKnown() }
  }

  override var valueType: String { "\(Element.self)" }

  override var hasTextFormat: Bool { array.element.textFormat != nil }

  override var text: String { text(of: array.value) }

  override var laterText: @Sendable (_ length: Int) -> String { laterText(array.value) }

  override func laterText(of value: FormValue) -> @Sendable (_ length: Int) -> String {
    laterText((value.value as? [Element]?) ?? nil)
  }

  private func laterText(_ values: [Element]?) -> @Sendable (_ length: Int) -> String {
    guard let values, let format = array.element.textFormat else { return { _ in "" } }
    return { length in
      String(ListText.joining(values.prefix(length).map(format.print)).prefix(length))
    }
  }

  override func text(of value: FormValue) -> String {
    guard let values = value.value as? [Element]? else { return "" }
    return text(of: values)
  }

  private func text(of values: [Element]?) -> String {
    guard let values, let format = array.element.textFormat else { return "" }
    return ListText.joining(values.map(format.print))
  }

  override func draft(of text: String) -> FormDraft {
    var values: [Element] = []
    for part in ListText.items(in: text, haveCommas: hasCommas) {
      let draft = draft(of: part) as ItemDraft
      if let issue = draft.issue { return FormDraft(text: text, value: nil, issue: issue) }
      if let value = draft.value as? Element { values.append(value) }
    }
    return FormDraft(text: text, value: FormValue(value: values, isKnown: true), issue: nil)
  }

  override var list: (any FieldItemsAdapter)? { self }

  override var elementPresentation: FieldPresentation? { array.element.appearance?.presentation }

  var identities: [FieldItemID] {
    // Read through the value, so that tracked reads follow it.
    array.value == nil ? [] : array.identities
  }

  var issues: [FieldItemID: [FieldIssue]] { array.issuesByItemNow }

  var elementKind: FieldKind {
    elementPresentation?.kind ?? array.element.textFormat?.kind ?? .text
  }

  func text(of item: FieldItemID) -> String {
    guard let value = array[item], let format = array.element.textFormat else { return "" }
    return format.print(value)
  }

  func text(of item: FieldItemID, at index: Int) -> String {
    guard let values = array.value, values.indices.contains(index),
      array.identities[index] == item, let format = array.element.textFormat
    else { return text(of: item) }
    return format.print(values[index])
  }

  func text(of draft: ItemDraft) -> String {
    guard let value = draft.value as? Element, let format = array.element.textFormat else {
      return ""
    }
    return format.print(value)
  }

  func value(of item: FieldItemID) -> (any Sendable)? { array[item] }

  func standing(_ drafts: [FieldItemID: ItemDraft]) -> [FieldItemID: ItemDraft] {
    var standing: [FieldItemID: ItemDraft] = [:]
    for (item, value) in zip(array.identities, array.storage ?? []) {
      guard let draft = drafts[item] else { continue }
      if isSame((draft.value ?? draft.beside) as? Element, value) { standing[item] = draft }
    }
    return standing
  }

  func draft(of text: String) -> ItemDraft {
    guard let format = array.element.textFormat else {
      return ItemDraft(text: text, value: nil, issue: .noTransformer(for: Element.self))
    }
    do throws(FieldIssue) {
      guard let value = try format.value(of: text) else {
        return ItemDraft(text: text, value: nil, issue: .required)
      }
      return ItemDraft(text: text, value: value, issue: nil)
    } catch {
      return ItemDraft(text: text, value: nil, issue: error)
    }
  }

  func set(_ draft: ItemDraft, of item: FieldItemID, origin: ChangeOrigin) {
    guard let value = draft.value as? Element,
      let index = array.identities.firstIndex(of: item)
    else { return }
    array.edit(.replaced(item, at: index), origin: origin) { values, _ in values[index] = value }
  }

  var values: [any Sendable] { array.storage ?? [] }

  var hasCommas: Bool { array.element.textFormat?.hasCommas ?? false }

  func set(_ values: [any Sendable], identities: [FieldItemID]) {
    let values = values.compactMap { $0 as? Element }
    guard values.count == identities.count else { return }
    array.set(values, identities: identities, origin: .user)
  }

  func append(_ draft: ItemDraft) -> FieldItemID? {
    guard let value = draft.value as? Element else { return nil }
    let identity = FieldItemID()
    array.edit(.added(identity, at: array.identities.count), origin: .user) { values, identities in
      values.append(value)
      identities.append(identity)
    }
    return identity
  }

  func remove(_ item: FieldItemID) {
    guard let index = array.identities.firstIndex(of: item) else { return }
    array.edit(.removed(item), origin: .user) { values, identities in
      values.remove(at: index)
      identities.remove(at: index)
    }
  }

  func move(_ item: FieldItemID, to index: Int) {
    guard let source = array.identities.firstIndex(of: item) else { return }
    let destination = min(max(index, 0), array.identities.count - 1)
    array.edit(.moved(from: source, to: destination), origin: .user) { values, identities in
      values.insert(values.remove(at: source), at: destination)
      identities.insert(identities.remove(at: source), at: destination)
    }
  }

  func states(beside baseline: FormValue) -> [ItemState] {
    let before = (baseline.value as? [Element]?).flatMap(\.self) ?? []
    let known = Dictionary(zip(baseline.items, before), uniquingKeysWith: { first, _ in first })
    let format = array.element.textFormat
    return zip(identities, array.storage ?? []).map { identity, value in
      ItemState(
        id: identity, text: format?.print(value) ?? "",
        isSame: known[identity].map { isSame($0, value) } ?? false)
    }
  }
}

/// Distinguishes array fields where the type of the items is not known.
protocol ItemsField {
  /// Whether the texts of the items must not be shown.
  var hasSecureItems: Bool { get }
}

extension ArrayField: ItemsField {
  var hasSecureItems: Bool { element.appearance?.presentation?.kind?.isSecure == true }
}

/// A field's value of any type and its item identities, for undo and reset.
struct FormValue {
  let value: any Sendable
  let isKnown: Bool
  /// The identities of the items, in a field that has items.
  var items: [FieldItemID] = []
}

/// The typed text, while it differs from the text of the value.
struct FormDraft {
  let text: String
  /// The value of the text; nil when it could not be read.
  let value: FormValue?
  /// The issue with a text that could not be read.
  let issue: FieldIssue?
  /// The field's revision when an unreadable text was typed; a later set replaces the text.
  var revision = 0
}

/// The typed text of one item, while it differs from the text of the item.
struct ItemDraft {
  let text: String
  /// The value of the text; nil if it could not be read, or means nil.
  let value: (any Sendable)?
  /// The issue with a text that could not be read.
  let issue: FieldIssue?
  /// The item's value when an unreadable text was typed.
  var beside: (any Sendable)?
}

/// The state of a field that an edit may change.
struct FormSnapshot {
  var value: FormValue
  var draft: FormDraft?
  var itemDrafts: [FieldItemID: ItemDraft] = [:]
}
