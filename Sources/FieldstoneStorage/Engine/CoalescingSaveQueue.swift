import FieldstoneCore

/// A queue of operations in the order of the calls; adjacent saves are coalesced.
///
/// It has pure transitions: the owner runs the operations, one at a time. A `DeliveryLine` does not
/// fit, because a save changes the waiting operation before it, and operations suspend.
struct CoalescingSaveQueue<Value: Codable & Sendable>: Sendable {
  typealias Work = @Sendable (isolated FileEngine<Value>) async -> Void
  typealias Waiter = @Sendable (Result<Void, FileStoreError>) -> Void

  enum Operation: Sendable {
    /// Saves that become one write, in order; never empty.
    case saves([Save])
    case work(Work)
  }

  /// A save that has not begun.
  struct Save: Sendable {
    let value: Value
    let policy: FileConflictPolicy?
    /// The handler of the result; nil if nothing awaits it and the next flush reports a failure.
    let waiter: Waiter?
    /// The trace for observers of activities; nil without one.
    var trace: ActivityTrace?
  }

  private var operations = FIFO<Operation>()
  /// The last operations, if they are saves with one policy that further saves may join.
  ///
  /// All are kept until the write, because the newest value may fail to encode.
  private var lastSaves: [Save] = []
  private var isRunning = false

  /// Adds work, after the saves before it.
  ///
  /// - Returns: whether the caller must start to run operations.
  mutating func add(_ work: @escaping Work) -> Bool {
    settleLastSaves()
    operations.append(.work(work))
    return begin()
  }

  /// Adds a save, which shares one write with the saves before it.
  ///
  /// - Returns: whether the caller must start to run operations.
  mutating func add(_ save: Save) -> Bool {
    if let last = lastSaves.last, last.policy != save.policy { settleLastSaves() }
    lastSaves.append(save)
    return begin()
  }

  /// The next operation; nil if there is none, and the owner stops.
  mutating func next() -> Operation? {
    if let operation = operations.popFirst() { return operation }
    if let saves = takeLastSaves() { return .saves(saves) }
    isRunning = false
    return nil
  }

  private mutating func settleLastSaves() {
    if let saves = takeLastSaves() { operations.append(.saves(saves)) }
  }

  private mutating func takeLastSaves() -> [Save]? {
    if lastSaves.isEmpty { return nil }
    defer { lastSaves = [] }
    return lastSaves
  }

  private mutating func begin() -> Bool {
    defer { isRunning = true }
    return !isRunning
  }
}
