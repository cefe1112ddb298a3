import FieldstoneCore
public import FieldstoneFields
package import Foundation
public import Observation

/// One field in a form: its presentation, its typed text, and its state.
///
/// A form makes one for each of its fields; screens read and write it. (Seed: Mold's forms.)
@MainActor
@Observable
public final class FormField: Identifiable {
  /// The field itself.
  @ObservationIgnored public let field: AnyField

  @ObservationIgnored let adapter: FieldAdapter
  @ObservationIgnored weak var form: FormModel?

  /// The typed text, while it differs from the text of the value.
  var draft: FormDraft?

  /// The typed texts of items that could not be read.
  var itemDrafts: [FieldItemID: ItemDraft] = [:]

  /// The text of a new item that could not be read, and the issue that the field has for it.
  @ObservationIgnored var refusedItem: (text: String, issue: FieldIssue)?

  /// Issues that were reported for the value, by their source.
  var reported: [String: [FieldIssue]] = [:]

  /// The findings of the form's own rules.
  var formFindings = FormFindings()

  /// Whether the user has visited the field: it had the focus and lost it, or was submitted.
  public internal(set) var isTouched = false

  /// Whether the value was edited since the form was filled or reset, even if it was edited back.
  public internal(set) var isEdited = false

  /// Whether the value differs from the form's baseline, or the text can't be read.
  public internal(set) var isModified = false

  /// The items that the user has visited.
  var touchedItems: Set<FieldItemID> = []

  /// The value that counts as unmodified.
  var baseline: FormValue

  /// The last state that the form has seen.
  @ObservationIgnored var last: FormSnapshot

  /// Whether the form counts it as invalid.
  @ObservationIgnored var isCountedInvalid = false

  /// Whether the form has validated it by itself since it was filled or reset.
  @ObservationIgnored var wasValidated = false

  /// The field's revision when the form was filled or reset, if it was.
  @ObservationIgnored var firstRevision: Int?

  @ObservationIgnored var registration: Registration?

  /// The task that runs the asynchronous rules.
  @ObservationIgnored var asking: TaskHolder?

  /// Its index among the fields of the form.
  @ObservationIgnored package let position: Int

  init(_ adapter: FieldAdapter, position: Int) {
    self.adapter = adapter
    self.position = position
    field = adapter.field
    let value = adapter.value
    baseline = value
    last = FormSnapshot(value: value)
    field.tracked()
  }
}

extension FormField {
  /// The key in dictionaries and JSON.
  public var key: String { field.key }

  /// The text that people read beside it.
  public var label: String { presentation?.label ?? field.name }

  /// A sentence that helps to fill it in; empty for none.
  public var help: String { presentation?.help ?? "" }

  /// The text in its place while it is empty; empty for none.
  public var placeholder: String { presentation?.placeholder ?? "" }

  /// How the value is entered.
  public var kind: FieldKind { adapter.kind }

  /// The keyboard that suits it.
  public var keyboard: FieldKeyboard { presentation?.keyboard ?? kind.keyboard }

  /// The meaning of the text, so that the system can fill it in.
  public var contentType: FieldContentType? { presentation?.contentType ?? kind.contentType }

  /// The characters that may be typed; a text with others is accepted and validated.
  public var allowedCharacters: FieldCharacters {
    presentation?.allowedCharacters ?? kind.allowedCharacters
  }

  /// Whether the field refuses nil, so that a screen can say so before it is validated.
  public var isRequired: Bool { field.refusesNil }

  /// Whether it has the focus.
  public var isFocused: Bool { form?.focusedField === self }

  /// The presentation of the field itself, or of its items.
  private var presentation: FieldPresentation? {
    field.appearance?.presentation ?? adapter.elementPresentation
  }
}

extension FormField {
  /// The text in the control: the typed text, or the value as text.
  ///
  /// Setting it sets the field's value. A text that can't be read stays as typed and has an issue,
  /// and the field keeps its value. Setting the same text again does nothing.
  ///
  /// The items of a list are separated by commas: `alpine, grass`. If an item contains a comma or a
  /// semicolon, they are separated by semicolons, and one ends a single item: `Vienna, Austria;
  /// Rome`. A semicolon inside an item is doubled. A text with a semicolon is split at semicolons
  /// only. If a comma is the decimal mark, it separates only before a space: `1,5, 2,75`.
  public var text: String {
    get { draft?.text ?? adapter.text }
    set { type(newValue) }
  }

  /// Copies the text or the value, and makes the beginning of ``text`` when the closure is called, on
  /// any thread.
  package var laterText: @Sendable (_ length: Int) -> String {
    guard let text = draft?.text else { return adapter.laterText }
    return { String(text.prefix($0)) }
  }

  /// Whether its text suits a web page's control of its kind.
  package var hasWebText: Bool { adapter.hasWebTexts && draft?.issue == nil }

  /// The value as text, whatever was typed.
  package var textOfValue: String { adapter.text }

  /// The time zone in which its dates are typed, for a date picker; nil for the user's.
  package var timeZone: TimeZone? { adapter.timeZone }

  /// All known issues of the control's content: an unreadable text, or else what the field's and
  /// the form's rules have found, then what was reported.
  public var issues: [FieldIssue] {
    let reports = reported.valuesInOrder.flatMap(\.self)
    if let issue = draft?.issue { return [issue] + reports }
    return field.issues.map(adapter.shown) + issuesOfItemDrafts + allFormIssues + reports
  }

  /// The texts of the issues, in the language of the form.
  public var messages: [String] {
    let messages = form?.messages ?? .current
    return issues.map(messages.text(for:))
  }

  /// The result of validating the text in the control; issues of other systems do not count.
  public var state: ValidationState {
    if let issue = draft?.issue { return .invalid([issue]) }
    let own = allFormIssues + issuesOfItemDrafts
    if own.contains(where: \.isError) { return .invalid(field.issues + own) }
    return field.validationState
  }

  /// The findings of the form's rules; those about items have the item's index.
  ///
  /// O(k log k) for k rules, and O(n) for n items if one of them has an issue.
  var allFormIssues: [FieldIssue] {
    let issues = formFindings.issues
    guard formFindings.hasItems, let list = adapter.list else { return issues }
    let itemIssues = formFindings.itemIssues
    let ofItems = list.identities.enumerated().flatMap { index, identity in
      (itemIssues[identity] ?? []).map { $0.inside("\(index)") }
    }
    return issues + ofItems
  }

  /// Whether the form's rules have found an error; O(1) if none is about items.
  var hasFormErrors: Bool {
    formFindings.hasErrors || formFindings.hasItems && allFormIssues.contains(where: \.isError)
  }

  /// Whether ``state`` is invalid, computed without a list of all issues.
  var isInvalid: Bool {
    draft?.issue != nil || hasFormErrors || field.validationState.isInvalid
      || issuesOfItemDrafts.contains(where: \.isError)
  }

  var issuesOfItemDrafts: [FieldIssue] {
    guard !itemDrafts.isEmpty, let list = adapter.list else { return [] }
    return list.identities.enumerated().compactMap { index, identity in
      itemDrafts[identity]?.issue?.inside("\(index)")
    }
  }

  /// Sets the typed text.
  private func type(_ text: String) {
    // Compared scalar by scalar: texts that only look the same differ for a server.
    if text.isIdentical(to: self.text) { return }
    recordForTransaction()
    var draft = adapter.draft(of: text, beside: baseline)
    if let value = draft.value {
      self.draft = adapter.text(of: value).isIdentical(to: text) ? nil : draft
      adapter.set(value, origin: .user)
    } else {
      draft.revision = field.revision
      self.draft = draft
    }
    form?.textChanged(self)
  }

  /// Drops typed texts that a later set has replaced.
  func dropOldDrafts() {
    if let draft {
      let stands =
        draft.value.map { adapter.areEqual($0, adapter.value) }
        ?? (draft.revision == field.revision)
      if !stands { self.draft = nil }
    }
    if !itemDrafts.isEmpty, let list = adapter.list {
      let standing = list.standing(itemDrafts)
      if standing.count != itemDrafts.count { itemDrafts = standing }
    }
  }

  /// Replaces readable typed texts by the texts of their values.
  func normalize() {
    if draft?.issue == nil, draft != nil { draft = nil }
    if itemDrafts.values.contains(where: { $0.issue == nil }) {
      itemDrafts = itemDrafts.filter { $0.value.issue != nil }
    }
    last = snapshot
  }

  /// Whether the typed text of the field, or of one of its items, can't be read.
  var hasUnreadableText: Bool {
    draft?.issue != nil || itemDrafts.values.contains { $0.issue != nil }
  }

  /// Restores a value.
  func put(_ value: FormValue) {
    let now = adapter.value
    if adapter.areEqual(now, value), now.isKnown == value.isKnown, now.items == value.items {
      return
    }
    adapter.set(value, origin: .restoring)
  }

  /// Restores typed texts beside the current value.
  func putDrafts(of snapshot: FormSnapshot) {
    draft = snapshot.draft
    draft?.revision = field.revision
    itemDrafts = snapshot.itemDrafts
    last = self.snapshot
  }

  var snapshot: FormSnapshot {
    FormSnapshot(value: adapter.value, draft: draft, itemDrafts: itemDrafts)
  }
}

extension FormField {
  /// Sets a date that was picked; a no-op for a field whose values are not dates.
  ///
  /// A picker's day has a time and its time has a day, which the field's format does not have. A day
  /// and a time are therefore set as the format reads them from their text.
  package func pick(_ date: Date) {
    guard field is Field<Date> else { return }
    // By the adapter, as code for `Field<Date>` alone would add 8 KB to every program.
    var picked = FormValue(value: Optional(date), isKnown: true)
    if kind == .day || kind == .time,
      let read = adapter.draft(of: adapter.text(of: picked)).value
    {
      picked = read
    }
    adapter.set(picked, origin: .user)
  }
}

/// A task that is cancelled when its holder is deallocated.
package final class TaskHolder: Sendable {
  private let task: Task<Void, Never>

  package init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit {
    task.cancel()
  }
}
