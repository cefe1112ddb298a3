import FieldstoneCore

/// The state of a loaded value: its revision, the newest error, and local changes on top.
///
/// Work takes a revision when it starts. A result with an older revision is dropped. The state runs
/// no user's code: the shell applies the changes and passes the result in.
struct OptimisticState<Value: Sendable> {
  /// A local change, made before the source has it.
  struct Change {
    let id: Int
    fileprivate(set) var apply: (inout Value) -> Void
    /// The revision of its confirmation, or nil while it can be rolled back.
    fileprivate(set) var confirmation: Int?
  }

  private var lastRevision = 0

  /// The value without the changes, and its revision.
  private(set) var base: Value?
  private var baseRevision = 0

  /// The changes by their identifiers, after those that have become a part of the base.
  private var stored: [Change] = []
  private var head = 0

  /// The value with the changes, if there are any.
  private var changed: Value?

  private var error: (any Error)?
  private var errorRevision = 0
  /// The number of errors that were taken; equal numbers mean the same error.
  private(set) var errorCount = 0
  private var successRevision = 0

  /// The number of calls that have started and not ended.
  private(set) var activeCount = 0

  init() {}

  /// The changes that are applied to the base, the oldest first.
  var changes: ArraySlice<Change> { stored[head...] }

  /// The value to show.
  var value: Value? { changed ?? base }

  /// The state as a phase.
  var phase: LoadPhase<Value> {
    if activeCount > 0 { return .loading(previous: value) }
    if let error { return .failed(error, previous: value) }
    return value.map { .loaded($0) } ?? .idle
  }

  /// Returns a revision for new work.
  mutating func nextRevision() -> Int {
    lastRevision += 1
    return lastRevision
  }

  /// Counts a call that starts.
  ///
  /// - Returns: whether the phase changes.
  mutating func begin() -> Bool {
    activeCount += 1
    return activeCount == 1
  }

  /// Counts a call that ends.
  ///
  /// - Returns: whether the phase changes.
  mutating func end() -> Bool {
    activeCount -= 1
    return activeCount == 0
  }

  /// Takes an early value, which is shown until the final one arrives.
  ///
  /// - Returns: whether the value was taken; false if it is outdated.
  mutating func takeEarly(_ value: Value, revision: Int) -> Bool {
    guard revision >= baseRevision else { return false }
    replaceBase(with: value, revision: revision)
    return true
  }

  /// Takes the value of work that succeeded.
  ///
  /// It removes an older error, and the error of calls that shared the first attempt.
  ///
  /// - Returns: whether the value was taken; false if it is outdated.
  mutating func take(_ value: Value, revision: Int) -> Bool {
    successRevision = max(successRevision, revision)
    if errorRevision <= revision { error = nil }
    return takeEarly(value, revision: revision)
  }

  /// Takes the error of work that failed, unless a newer success or error outdates it.
  mutating func take(_ error: any Error, revision: Int) {
    guard revision > successRevision, revision >= errorRevision else { return }
    self.error = error
    errorRevision = revision
    errorCount += 1
  }

  /// Sets the value; work that started before can't overwrite it.
  mutating func set(_ value: Value) {
    replaceBase(with: value, revision: nextRevision())
  }

  /// Adds a change; work that started before can't overwrite it.
  mutating func add(_ apply: @escaping (inout Value) -> Void) -> Int {
    baseRevision = nextRevision()
    stored.append(Change(id: baseRevision, apply: apply))
    return baseRevision
  }

  /// Whether a change exists and can be confirmed or rolled back; O(log n).
  func isPending(_ id: Int) -> Bool {
    index(of: id) != nil
  }

  /// The place of a change that can be confirmed or rolled back.
  private func index(of id: Int) -> Int? {
    var (low, high) = (head, stored.count)
    while low < high {
      let middle = (low + high) / 2
      if stored[middle].id < id { low = middle + 1 } else { high = middle }
    }
    guard low < stored.count, stored[low].id == id else { return nil }
    return stored[low].confirmation == nil ? low : nil
  }

  /// The number of changes that can be confirmed or rolled back, and of confirmed ones.
  var changeCounts: (pending: Int, confirmed: Int) {
    let pending = changes.count { $0.confirmation == nil }
    return (pending, changes.count - pending)
  }

  /// Rolls a change back, in O(n); the others stay.
  mutating func remove(_ id: Int) {
    guard let index = index(of: id) else { return }
    stored.remove(at: index)
    if changes.isEmpty { changed = nil }
  }

  /// Notes that the source has a change; the results of work that started before may lack it.
  mutating func confirm(_ id: Int) {
    guard let index = index(of: id) else { return }
    baseRevision = nextRevision()
    stored[index].confirmation = baseRevision
  }

  /// Sets the result of applying the changes to the base, in O(1) amortised.
  ///
  /// - Parameters:
  ///   - folded: the number of leading changes that are confirmed and now part of the base.
  ///   - base: the base with those changes.
  ///   - value: the base with all changes.
  mutating func rebuilt(folding folded: Int, base: Value, value: Value) {
    for index in head..<(head + folded) { stored[index].apply = { _ in } }
    head += folded
    // Moving the rest costs no more than the changes that have gone.
    if head * 2 >= stored.count {
      stored.removeFirst(head)
      head = 0
    }
    self.base = base
    changed = changes.isEmpty ? nil : value
  }

  private mutating func replaceBase(with value: Value, revision: Int) {
    base = value
    baseRevision = revision
    guard !changes.isEmpty else { return }
    stored.removeFirst(head)
    head = 0
    // The new value of the source includes these changes.
    stored.removeAll { change in change.confirmation.map { $0 < revision } ?? false }
    if stored.isEmpty { changed = nil }
  }
}
