import FieldstoneCore

/// The transitions of a production line, without a lock, a task or a continuation.
///
/// It is a schedule and no call: each of its entries is a `StageExecution`, which ends by itself.
struct ProductionLineState<Entry> {
  let bound: Int
  private(set) var isSuspended = false
  private(set) var isFinished = false
  private(set) var pending: [Int: Entry] = [:]
  private(set) var running: [Int: Entry] = [:]
  private var order = FIFO<Int>()
  private(set) var nextNumber = 0

  /// How many were added and have not ended; an execution may end before it stops running.
  private(set) var openCount = 0

  init(bound: Int) {
    self.bound = bound
  }

  /// Whether no result will follow.
  var isDone: Bool { isFinished && openCount == 0 }

  /// Gives a number to an entry that will follow; nil when the line is finished.
  mutating func reserve() -> Int? {
    if isFinished { return nil }
    defer { nextNumber += 1 }
    openCount += 1
    return nextNumber
  }

  /// Puts an entry at the end, under the number reserved for it.
  mutating func add(_ entry: Entry, as number: Int) {
    pending[number] = entry
    order.append(number)
  }

  /// Takes the entry whose turn it is, if one may start.
  mutating func startNext() -> (number: Int, entry: Entry)? {
    guard !isSuspended, running.count < bound else { return nil }
    while let number = order.popFirst() {
      // A number without an entry was cancelled while it waited.
      guard let entry = pending.removeValue(forKey: number) else { continue }
      running[number] = entry
      return (number, entry)
    }
    return nil
  }

  /// Counts an execution as ended; one that still waits leaves the line, and is given back.
  mutating func ended(_ number: Int) -> Entry? {
    openCount -= 1
    guard let entry = pending.removeValue(forKey: number) else { return nil }
    if order.count > 64, order.count > 2 * pending.count {
      // More than half of them were cancelled: to look at all costs as much as was cancelled.
      order.removeAll { [pending] in pending[$0] == nil }
    }
    return entry
  }

  /// Frees the place of an execution whose work has stopped, and gives it back.
  mutating func stopped(_ number: Int) -> Entry? {
    running.removeValue(forKey: number)
  }

  mutating func suspend() { isSuspended = true }
  mutating func resume() { isSuspended = false }
  mutating func finish() { isFinished = true }

  /// The waiting entries, in the order of the line.
  var pendingInOrder: [Entry] {
    pending.valuesInOrder
  }

  /// The running entries, in the order of the line.
  var runningInOrder: [Entry] {
    running.valuesInOrder
  }
}
