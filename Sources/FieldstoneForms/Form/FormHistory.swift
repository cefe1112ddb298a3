import FieldstoneCore
import FieldstoneFields

extension FormModel {
  /// Takes the last edit back: all that was typed while a field had the focus, or all that was set
  /// in one batch.
  ///
  /// Typed texts come back as they were typed, and validated fields are validated again. A
  /// successful submit forgets all edits.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func undo() -> Bool {
    guard let edit = history.undo() else { return false }
    restore(edit.steps.reversed().map { ($0.field, $0.before) })
    updateHistory()
    return true
  }

  /// Makes the edit again that was taken back last.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func redo() -> Bool {
    guard let edit = history.redo() else { return false }
    restore(edit.steps.map { ($0.field, $0.after) })
    updateHistory()
    return true
  }

  /// The keys of the fields of each edit that can be taken back, the oldest first; O(steps).
  package var undoKeys: [[String]] { history.done.map { $0.steps.map(\.field.key) } }

  /// The keys of the fields of each edit that can be made again; O(steps).
  package var redoKeys: [[String]] { history.undone.map { $0.steps.map(\.field.key) } }

  /// Takes an edit down.
  func record(_ field: FormField, before: FormSnapshot) {
    let after = field.snapshot
    guard !field.isSame(before, after) else { return }
    history.record(
      FormHistory.Step(field: field, before: before, after: after), isFocused: focus === field,
      delivery: .current)
    updateHistory()
  }

  func updateHistory() {
    if canUndo == history.done.isEmpty { canUndo.toggle() }
    if canRedo == history.undone.isEmpty { canRedo.toggle() }
  }

  /// Puts fields back, as one batch.
  private func restore(_ snapshots: [(FormField, FormSnapshot)]) {
    let followers = setBack {
      for (field, snapshot) in snapshots {
        field.put(snapshot.value)
        field.putDrafts(of: snapshot)
      }
    }
    // Bindings may have set what follows another field in between.
    setBack { for (field, snapshot) in snapshots { field.put(snapshot.value) } }
    for (field, snapshot) in snapshots { field.putDrafts(of: snapshot) }
    for field in snapshots.map(\.0) + followers { followRestored(field) }
  }

  /// Sets fields without that counting as edits.
  ///
  /// - Returns: the fields of the form that have followed, such as those that are bound to others.
  @discardableResult
  func setBack(_ body: () -> Void) -> [FormField] {
    let wasRestoring = isRestoring
    isRestoring = true
    restoringDelivery = .current
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

/// The edits of a form that can be taken back and made again.
@MainActor
struct FormHistory {
  /// A delivery: all that is heard of before the outermost set or batch returns.
  struct Delivery: Equatable {
    let context: ObjectIdentifier
    let number: UInt32

    /// The one that is under way on this thread.
    static var current: Delivery? {
      let context = DeliveryContext.current
      if !context.isBusy { return nil }
      return Delivery(context: ObjectIdentifier(context), number: context.number)
    }
  }

  /// The effect of an edit on one field.
  struct Step {
    let field: FormField
    let before: FormSnapshot
    var after: FormSnapshot
  }

  /// What is taken back at once: all that was typed while a field had the focus, or all that was
  /// set in one batch.
  struct Edit {
    /// The steps in the order in which their fields were edited first.
    var steps: [Step] { places.isEmpty ? [] : all.compactMap(\.self) }

    /// Nil where one was taken back by hand.
    private var all: [Step?] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// The time of the focus in which it was made, of an edit of the field that had it.
    let session: Int?
    /// The delivery that it was heard of in last.
    var delivery: Delivery?

    init(session: Int?, delivery: Delivery?) {
      self.session = session
      self.delivery = delivery
    }

    var isEmpty: Bool { places.isEmpty }

    /// Adds what has become of a field; what was taken back by hand is no step.
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
  }

  let limit: Int
  private(set) var done: [Edit] = []
  private(set) var undone: [Edit] = []
  private var session = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Ends the edit that is under way: what comes next is another one.
  mutating func beginSession() {
    session += 1
  }

  mutating func record(_ step: Step, isFocused: Bool, delivery: Delivery?) {
    undone = []
    if limit == 0 { return }
    if let last = done.indices.last, belongs(to: done[last], isFocused, delivery) {
      done[last].add(step)
      if delivery != nil { done[last].delivery = delivery }
      // An edit that was taken back by hand is none.
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

  /// The edit to take back, which can be made again from now on.
  mutating func undo() -> Edit? {
    guard let edit = done.popLast() else { return nil }
    undone.append(edit)
    beginSession()
    return edit
  }

  /// The edit to make again.
  mutating func redo() -> Edit? {
    guard let edit = undone.popLast() else { return nil }
    done.append(edit)
    beginSession()
    return edit
  }

  mutating func removeAll() {
    done = []
    undone = []
    beginSession()
  }
}
