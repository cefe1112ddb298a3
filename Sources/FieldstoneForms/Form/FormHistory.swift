import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Undoes the last edit: everything typed while a field had the focus, or set in one batch.
  ///
  /// Typed texts are restored as they were typed, and validated fields are validated again. A
  /// successful submit clears the history.
  ///
  /// - Returns: whether there was an edit to undo.
  @discardableResult
  public func undo() -> Bool {
    recordForTransaction()
    guard let edit = history.undo() else { return false }
    restore(edit.steps.reversed().map { ($0.field, $0.before) })
    updateHistory()
    return true
  }

  /// Redoes the edit that was undone last.
  ///
  /// - Returns: whether there was an edit to redo.
  @discardableResult
  public func redo() -> Bool {
    recordForTransaction()
    guard let edit = history.redo() else { return false }
    restore(edit.steps.map { ($0.field, $0.after) })
    updateHistory()
    return true
  }

  /// The edits that can be undone, the last one first, for tools that show them; O(steps of those).
  ///
  /// - Parameter limit: the maximum number of edits, and of the steps of each.
  package func undoSteps(atMost limit: Int) -> FormEdits { FormEdits(history.done, limit) }

  /// The edits that can be redone, the next one first.
  package func redoSteps(atMost limit: Int) -> FormEdits { FormEdits(history.undone, limit) }

  /// Records an edit.
  func record(_ field: FormField, before: FormSnapshot) {
    let after = field.snapshot
    guard !field.isSame(before, after) else { return }
    history.record(
      FormHistory.Step(field: field, before: before, after: after), isFocused: focus === field,
      delivery: .ofChange)
    updateHistory()
  }

  func updateHistory() {
    if canUndo == history.done.isEmpty { canUndo.toggle() }
    if canRedo == history.undone.isEmpty { canRedo.toggle() }
  }

  /// Restores fields, in one batch.
  private func restore(_ snapshots: [(FormField, FormSnapshot)]) {
    let followers = setBack {
      for (field, snapshot) in snapshots {
        field.put(snapshot.value)
        field.putDrafts(of: snapshot)
      }
    }
    // Bindings may have set fields that follow another one meanwhile.
    setBack { for (field, snapshot) in snapshots { field.put(snapshot.value) } }
    for (field, snapshot) in snapshots { field.putDrafts(of: snapshot) }
    noteRestored(snapshots.map(\.0), by: .undo)
    for field in snapshots.map(\.0) + followers { followRestored(field) }
  }

  /// Sets fields without counting that as edits.
  ///
  /// - Returns: the fields of the form that have followed, such as bound ones.
  @discardableResult
  func setBack(_ body: () -> Void) -> [FormField] {
    let wasRestoring = isRestoring
    isRestoring = true
    Fields.batch(body)
    isRestoring = wasRestoring
    defer { restored = [] }
    return restored
  }
}

extension FormField {
  /// Whether two states of this field look the same.
  func isSame(_ left: FormSnapshot, _ right: FormSnapshot) -> Bool {
    left.draft?.text == right.draft?.text && adapter.areEqual(left.value, right.value)
      && left.value.items == right.value.items
      && left.itemDrafts.mapValues(\.text) == right.itemDrafts.mapValues(\.text)
  }
}

/// Edits of a form, for tools that show them.
package struct FormEdits: Sendable {
  /// The effect of an edit on one field.
  package struct Step: Sendable {
    /// The place of the field among those of the form.
    package let field: Int
    package let key: String
    package let before: State
    package let after: State
  }

  /// A state of a field.
  package struct State: Sendable {
    /// The value; an optional in itself.
    package let value: any Sendable
    /// Makes the beginning of the text, on any thread; nil if the field's type has no text.
    package let text: (@Sendable (_ length: Int) -> String)?

    @MainActor
    init(_ snapshot: FormSnapshot, of field: FormField) {
      value = snapshot.value.value
      if let text = snapshot.draft?.text {
        self.text = { String(text.prefix($0)) }
      } else {
        text = field.adapter.hasTextFormat ? field.adapter.laterText(of: snapshot.value) : nil
      }
    }
  }

  /// An edit: everything typed while a field had the focus, or set in one batch.
  package struct Edit: Sendable {
    /// The first steps.
    package let steps: [Step]
    /// The number of all steps.
    package let stepCount: Int
  }

  /// The number of all edits.
  package let count: Int
  /// The edits that come first.
  package let edits: [Edit]

  @MainActor
  init(_ edits: [FormHistory.Edit], _ limit: Int) {
    let limit = max(0, limit)
    count = edits.count
    self.edits = edits.suffix(limit).reversed().map { edit in
      let steps = edit.steps
      return Edit(
        steps: steps.prefix(limit).map { step in
          Step(
            field: step.field.position, key: step.field.key,
            before: State(step.before, of: step.field), after: State(step.after, of: step.field))
        }, stepCount: steps.count)
    }
  }
}

/// The edits of a form that can be undone and redone.
@MainActor
struct FormHistory {
  /// A delivery: all notifications before the outermost set or batch returns.
  struct Delivery: Equatable {
    let context: ObjectIdentifier
    let number: UInt32

    /// The current delivery on this thread.
    static var current: Delivery? { DeliveryContext.current.isBusy ? next : nil }

    /// The delivery of a change that is made now: the current one, or the one at the end of the open
    /// batch.
    static var ofChange: Delivery? {
      let context = DeliveryContext.current
      return context.isBusy || context.isRecording ? next : nil
    }

    private static var next: Delivery {
      let context = DeliveryContext.current
      // The outermost batch ends with a delivery of its own, even if nothing has changed.
      let number = context.isBusy ? context.number : context.number &+ 1
      return Delivery(context: ObjectIdentifier(context), number: number)
    }
  }

  /// The effect of an edit on one field.
  struct Step {
    let field: FormField
    let before: FormSnapshot
    var after: FormSnapshot
  }

  /// One step of undo: everything typed while a field had the focus, or set in one batch.
  struct Edit {
    /// The steps in the order in which their fields were edited first.
    var steps: [Step] { places.isEmpty ? [] : all.compactMap(\.self) }

    /// Nil for a step that the user has undone by editing.
    private var all: [Step?] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// The focus session in which it was made; nil if its field did not have the focus.
    let session: Int?
    /// The delivery that last extended it.
    var delivery: Delivery?

    init(session: Int?, delivery: Delivery?) {
      self.session = session
      self.delivery = delivery
    }

    var isEmpty: Bool { places.isEmpty }

    /// Adds the change of a field; a change that edits a value back removes its step.
    @MainActor
    mutating func add(_ step: Step) {
      let field = ObjectIdentifier(step.field)
      guard let place = places[field], let known = all[place] else {
        places[field] = all.count
        return all.append(step)
      }
      if step.field.isSame(known.before, step.after) {
        all[place] = nil
        places[field] = nil
      } else {
        all[place]?.after = step.after
      }
    }

    /// Replaces a value of a field; a step without a difference is dropped.
    @MainActor
    mutating func replace(_ old: FormValue, of field: FormField, with new: FormValue) {
      let key = ObjectIdentifier(field)
      guard let place = places[key], let step = all[place] else { return }
      func replaced(_ snapshot: FormSnapshot) -> FormSnapshot {
        guard field.adapter.areEqual(snapshot.value, old) else { return snapshot }
        var replaced = FormSnapshot(value: new)
        // Texts that can't be read are edits, whatever the value under them.
        if snapshot.draft?.issue != nil { replaced.draft = snapshot.draft }
        replaced.itemDrafts = snapshot.itemDrafts.filter { $0.value.issue != nil }
        return replaced
      }
      let moved = Step(
        field: field, before: replaced(step.before), after: replaced(step.after))
      let isEmpty = field.isSame(moved.before, moved.after)
      all[place] = isEmpty ? nil : moved
      if isEmpty { places[key] = nil }
    }
  }

  let limit: Int
  private(set) var done: [Edit] = []
  private(set) var undone: [Edit] = []
  private var session = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Ends the current edit: the next change begins another one.
  mutating func beginSession() {
    session += 1
  }

  mutating func record(_ step: Step, isFocused: Bool, delivery: Delivery?) {
    undone = []
    if limit == 0 { return }
    if let last = done.indices.last, belongs(to: done[last], isFocused, delivery) {
      done[last].add(step)
      if delivery != nil { done[last].delivery = delivery }
      // An edit whose steps were all edited back is dropped.
      if done[last].isEmpty { done.removeLast() }
      return
    }
    var edit = Edit(session: isFocused ? session : nil, delivery: delivery)
    edit.add(step)
    done.append(edit)
    if done.count > limit { done.removeFirst(done.count - limit) }
  }

  private func belongs(to edit: Edit, _ isFocused: Bool, _ delivery: Delivery?) -> Bool {
    if let delivery, edit.delivery == delivery { return true }
    return isFocused && edit.session == session
  }

  /// The edit to undo, which can be redone from now on.
  mutating func undo() -> Edit? {
    guard let edit = done.popLast() else { return nil }
    undone.append(edit)
    beginSession()
    return edit
  }

  /// The edit to redo.
  mutating func redo() -> Edit? {
    guard let edit = undone.popLast() else { return nil }
    done.append(edit)
    beginSession()
    return edit
  }

  /// Replaces a value of a field in all edits; O(edits).
  mutating func replace(_ old: FormValue, of field: FormField, with new: FormValue) {
    for place in done.indices { done[place].replace(old, of: field, with: new) }
    for place in undone.indices { undone[place].replace(old, of: field, with: new) }
    done.removeAll(where: \.isEmpty)
    undone.removeAll(where: \.isEmpty)
  }

  mutating func removeAll() {
    done = []
    undone = []
    beginSession()
  }
}
