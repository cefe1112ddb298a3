/// What fields promise, written as plainly as possible: arrays, one queue, no cleverness.
struct ModelFields {
  enum Listener: Equatable {
    /// Writes down what it hears.
    case log(Int)
    /// Hands the value on to another field.
    case edge(to: Int)
    /// Sets the field to a limit when it is above it.
    case clamp(to: Int)
  }

  struct Entry: Equatable {
    var listener: Int
    var old: Int?
    var new: Int?
  }

  private struct Change {
    var field: Int
    var old: Int?
    var new: Int?
    var root: Int
  }

  private struct Saved {
    var value: Int?
    var isKnown: Bool
    var revision: Int
  }

  private(set) var values: [Int?]
  private(set) var isKnown: [Bool]
  private(set) var revisions: [Int]
  private var listeners: [[Listener]]
  private(set) var log: [Entry] = []

  /// Whether a delivery did not come to an end; nothing holds from then on.
  private(set) var isUnsettled = false

  private var queue: [Change] = []
  private var isDelivering = false
  private var setInDelivery: Set<Int> = []
  private var batches: [[(field: Int, saved: Saved)]] = []

  init(count: Int) {
    values = Array(repeating: nil, count: count)
    isKnown = Array(repeating: false, count: count)
    revisions = Array(repeating: 0, count: count)
    listeners = Array(repeating: [], count: count)
  }

  mutating func set(_ field: Int, to value: Int?) {
    store(field, value, root: field)
    settle()
  }

  mutating func observe(_ field: Int, as listener: Int) {
    listeners[field].append(.log(listener))
    log.append(Entry(listener: listener, old: values[field], new: values[field]))
  }

  mutating func clamp(_ field: Int, to limit: Int) {
    listeners[field].append(.clamp(to: limit))
    if let value = values[field], value > limit { set(field, to: limit) }
  }

  mutating func bind(_ source: Int, to target: Int) {
    if isKnown[source] {
      receive(target, values[source], root: source)
      settle()
    }
    listeners[source].append(.edge(to: target))
  }

  mutating func unbind(_ source: Int, from target: Int) {
    listeners[source].removeAll { $0 == .edge(to: target) }
  }

  mutating func removeListener(_ listener: Int, of field: Int) {
    listeners[field].removeAll { $0 == .log(listener) }
  }

  mutating func removeAll(of field: Int) {
    listeners[field] = []
  }

  mutating func openBatch() {
    batches.append([])
  }

  mutating func closeBatch() {
    let batch = batches.removeLast()
    guard batches.isEmpty else {
      for entry in batch
      where !batches[batches.count - 1].contains(where: { $0.field == entry.field }) {
        batches[batches.count - 1].append(entry)
      }
      return
    }
    for (field, saved) in batch where saved.value != values[field] || !saved.isKnown {
      queue.append(Change(field: field, old: saved.value, new: values[field], root: field))
    }
    settle()
  }

  mutating func takeBackBatch() {
    for (field, saved) in batches.removeLast() {
      values[field] = saved.value
      isKnown[field] = saved.isKnown
      // On and not back.
      if revisions[field] != saved.revision { revisions[field] += 1 }
    }
  }

  private mutating func store(_ field: Int, _ value: Int?, root: Int) {
    if !batches.isEmpty, !batches[batches.count - 1].contains(where: { $0.field == field }) {
      let saved = Saved(
        value: values[field], isKnown: isKnown[field], revision: revisions[field])
      batches[batches.count - 1].append((field, saved))
    }
    let (old, wasKnown) = (values[field], isKnown[field])
    values[field] = value
    isKnown[field] = true
    revisions[field] += 1
    guard batches.isEmpty, old != value || !wasKnown else { return }
    queue.append(Change(field: field, old: old, new: value, root: root))
  }

  private mutating func receive(_ field: Int, _ value: Int?, root: Int) {
    if root == field { return }
    if isDelivering, setInDelivery.contains(field), isKnown[field], values[field] == value {
      return
    }
    setInDelivery.insert(field)
    store(field, value, root: root)
  }

  private mutating func settle() {
    if isDelivering || !batches.isEmpty { return }
    isDelivering = true
    setInDelivery = Set(queue.map(\.field))
    var steps = 0
    while !queue.isEmpty {
      steps += 1
      if steps > 90 {
        isUnsettled = true
        queue = []
        break
      }
      let change = queue.removeFirst()
      for listener in listeners[change.field] {
        switch listener {
        case .log(let number):
          log.append(Entry(listener: number, old: change.old, new: change.new))
        case .edge(let target):
          receive(target, change.new, root: change.root)
        case .clamp(let limit):
          guard let new = change.new, new > limit else { continue }
          setInDelivery.insert(change.field)
          store(change.field, limit, root: change.field)
        }
      }
    }
    isDelivering = false
    setInDelivery = []
  }
}
