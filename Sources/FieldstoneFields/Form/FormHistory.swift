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

  /// What an edit has made of one field.
  struct Step {
    let field: FormField
    let before: FormSnapshot
    var after: FormSnapshot
  }

  /// What is taken back at once: all that was typed while a field had the focus, or all that was
  /// set in one batch.
  struct Edit {
    var steps: [Step]
    /// The time of the focus in which it was made, of an edit of the field that had it.
    let session: Int?
    /// The delivery that it was heard of in last.
    var delivery: Delivery?
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
      let same = done[last].steps.firstIndex { $0.field === step.field }
      if let same {
        done[last].steps[same].after = step.after
      } else {
        done[last].steps.append(step)
      }
      if delivery != nil { done[last].delivery = delivery }
      dropWhatWasTakenBack()
      return
    }
    done.append(Edit(steps: [step], session: isFocused ? session : nil, delivery: delivery))
    if done.count > limit { done.removeFirst(done.count - limit) }
  }

  /// An edit that was taken back by hand is none.
  private mutating func dropWhatWasTakenBack() {
    guard let last = done.indices.last else { return }
    done[last].steps.removeAll { $0.field.isSame($0.before, $0.after) }
    if done[last].steps.isEmpty { done.removeLast() }
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
