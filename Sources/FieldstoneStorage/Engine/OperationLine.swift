import FieldstoneCore

/// Operations in the order in which they were asked for, of which saves that follow one another
/// become one.
///
/// Pure transitions: whoever owns it runs what it gives out, one after the other.
struct OperationLine<Value: Codable & Sendable>: Sendable {
  typealias Work = @Sendable (isolated FileEngine<Value>) async -> Void
  typealias Waiter = @Sendable (Result<Void, FileStoreError>) -> Void

  enum Operation: Sendable {
    case save(Save)
    case work(Work)
  }

  /// A save that has not begun.
  struct Save: Sendable {
    var value: Value
    let policy: FileConflictPolicy?
    /// Those to tell how it went; none for one that nobody awaits.
    var waiters: [Waiter]
    /// Whether a failure is to be told by the next flush.
    var isDeferred: Bool
  }

  private var operations = FIFO<Operation>()
  /// The last operation, when it is a save that a newer one may still take the place of.
  private var lastSave: Save?
  private var isRunning = false

  /// Adds work; a save before it is made before it.
  ///
  /// - Returns: whether someone must begin to run operations.
  mutating func add(_ work: @escaping Work) -> Bool {
    settleLastSave()
    operations.append(.work(work))
    return begin()
  }

  /// Adds a save, or puts its value in the place of that of the save before it.
  ///
  /// - Returns: the value that will not be written, for the caller to release; and whether someone
  ///   must begin to run operations.
  mutating func add(_ save: Save) -> (replaced: Value?, begins: Bool) {
    if var last = lastSave, last.policy == save.policy {
      let replaced = last.value
      last.value = save.value
      last.waiters += save.waiters
      last.isDeferred = last.isDeferred || save.isDeferred
      lastSave = last
      return (replaced, begin())
    }
    settleLastSave()
    lastSave = save
    return (nil, begin())
  }

  /// The next operation; nil when there is none, and whoever runs them is to stop.
  mutating func next() -> Operation? {
    if let operation = operations.popFirst() { return operation }
    if let save = lastSave.take() { return .save(save) }
    isRunning = false
    return nil
  }

  private mutating func settleLastSave() {
    guard let save = lastSave.take() else { return }
    operations.append(.save(save))
  }

  private mutating func begin() -> Bool {
    defer { isRunning = true }
    return !isRunning
  }
}
