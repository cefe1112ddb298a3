import FieldstoneCore

/// The state of a loaded value: the work it came from, the newest error, and the local changes on
/// top.
///
/// Work takes a revision when it starts. A result with a passed revision is dropped. The ledger
/// runs no user's code: the shell applies the changes and hands the result in.
struct OptimisticState<Value: Sendable> {
  /// A change that was made before the source knows of it.
  struct Change {
    let id: Int
    let apply: (inout Value) -> Void
    /// The revision at which the source had it, or nil while it may be taken back.
    fileprivate(set) var confirmation: Int?
  }

  private var lastRevision = 0

  /// The value without the changes, and the revision that it came with.
  private(set) var base: Value?
  private var baseRevision = 0

  private(set) var changes: [Change] = []

  /// The value with the changes, where there are any.
  private var changed: Value?

  private var error: (any Error)?
  private var errorRevision = 0
  private var successRevision = 0

  /// How many calls have started and not ended.
  private(set) var activeCount = 0

  init() {}

  /// The value to show.
  var value: Value? { changed ?? base }

  /// The state as a phase.
  var phase: LoadPhase<Value> {
    if activeCount > 0 { return .loading(previous: value) }
    if let error { return .failed(error, previous: value) }
    return value.map { .loaded($0) } ?? .idle
  }

  /// Gives the revision that new work starts from.
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

  /// Takes a value that is shown until the final one is there.
  ///
  /// - Returns: whether it was in time.
  mutating func takeEarly(_ value: Value, revision: Int) -> Bool {
    guard revision >= baseRevision else { return false }
    replaceBase(with: value, revision: revision)
    return true
  }

  /// Takes the value of work that succeeded; an error from before, or of calls that shared the
  /// first attempt, is outdated then.
  ///
  /// - Returns: whether the value was in time.
  mutating func take(_ value: Value, revision: Int) -> Bool {
    successRevision = max(successRevision, revision)
    if errorRevision <= revision { error = nil }
    return takeEarly(value, revision: revision)
  }

  /// Takes the error of work that failed; one that a newer success or error outdates is dropped.
  mutating func take(_ error: any Error, revision: Int) {
    guard revision > successRevision, revision >= errorRevision else { return }
    self.error = error
    errorRevision = revision
  }

  /// Sets the value by hand; work that started before can't overwrite it.
  mutating func set(_ value: Value) {
    replaceBase(with: value, revision: nextRevision())
  }

  /// Adds a change; work that started before can't overwrite it.
  mutating func add(_ apply: @escaping (inout Value) -> Void) -> Int {
    baseRevision = nextRevision()
    changes.append(Change(id: baseRevision, apply: apply))
    return baseRevision
  }

  /// Whether a change is there and can be confirmed or taken back.
  func isPending(_ id: Int) -> Bool {
    changes.contains { $0.id == id && $0.confirmation == nil }
  }

  /// Takes a change back, and leaves the others.
  mutating func remove(_ id: Int) {
    changes.removeAll { $0.id == id }
    if changes.isEmpty { changed = nil }
  }

  /// Takes note that the source has a change; work that started before may not have seen it.
  mutating func confirm(_ id: Int) {
    guard let index = changes.firstIndex(where: { $0.id == id }) else { return }
    baseRevision = nextRevision()
    changes[index].confirmation = baseRevision
  }

  /// Takes what the changes make of the base.
  ///
  /// - Parameters:
  ///   - folded: how many of the first changes are confirmed and now part of the base.
  ///   - base: the base with those.
  ///   - value: the base with all changes.
  mutating func rebuilt(folding folded: Int, base: Value, value: Value) {
    changes.removeFirst(folded)
    self.base = base
    changed = changes.isEmpty ? nil : value
  }

  private mutating func replaceBase(with value: Value, revision: Int) {
    base = value
    baseRevision = revision
    guard !changes.isEmpty else { return }
    // The source has told of these by itself.
    changes.removeAll { change in change.confirmation.map { $0 < revision } ?? false }
    if changes.isEmpty { changed = nil }
  }
}
