import FieldstoneCore

/// The transitions of a production line, without a lock, a task or a continuation.
///
/// It schedules stages and is not a call: each entry is a `StageExecution`, which ends by itself.
struct ProductionLineState<Entry> {
  let bound: Int
  private(set) var isSuspended = false
  private(set) var isFinished = false
  private(set) var pending: [Int: Entry] = [:]
  private(set) var running: [Int: Entry] = [:]
  private var order = FIFO<Int>()
  private(set) var nextNumber = 0

  /// The number of entries that have not ended; an execution may end before its work stops.
  private(set) var openCount = 0

  init(bound: Int) {
    self.bound = bound
  }

  /// Whether no further result will follow.
  var isDone: Bool { isFinished && openCount == 0 }

  /// Reserves a number for an entry that will follow; nil if the line is finished.
  mutating func reserve() -> Int? {
    if isFinished { return nil }
    defer { nextNumber += 1 }
    openCount += 1
    return nextNumber
  }

  /// Adds an entry at the end, under its reserved number.
  mutating func add(_ entry: Entry, as number: Int) {
    pending[number] = entry
    order.append(number)
  }

  /// Starts the next entry if the line may start one.
  mutating func startNext() -> (number: Int, entry: Entry)? {
    guard !isSuspended, running.count < bound else { return nil }
    while let number = order.popFirst() {
      // A number without an entry was cancelled while waiting.
      guard let entry = pending.removeValue(forKey: number) else { continue }
      running[number] = entry
      return (number, entry)
    }
    return nil
  }

  /// Counts an execution as ended; returns its entry if it was still waiting.
  mutating func ended(_ number: Int) -> Entry? {
    openCount -= 1
    guard let entry = pending.removeValue(forKey: number) else { return nil }
    if order.count > 64, order.count > 2 * pending.count {
      // More than half were cancelled, so a scan costs no more than the cancellations did.
      order.removeAll { [pending] in pending[$0] == nil }
    }
    return entry
  }

  /// Frees the place of an execution whose work has stopped, and returns its entry.
  mutating func stopped(_ number: Int) -> Entry? {
    running.removeValue(forKey: number)
  }

  mutating func suspend() { isSuspended = true }
  mutating func resume() { isSuspended = false }
  mutating func finish() { isFinished = true }

  /// Removes all waiting entries, so that none of them can start, and returns them in the order of
  /// the line.
  mutating func takePending() -> [Entry] {
    let entries = pending.valuesInOrder
    pending = [:]
    order = FIFO()
    return entries
  }

  /// The running entries, in the order of the line.
  var runningInOrder: [Entry] {
    running.valuesInOrder
  }
}
