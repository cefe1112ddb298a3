/// Delivers elements from synchronous code to an asynchronous sequence.
///
/// Sending takes two steps: `mailbox.push(element)()`. A sender may push under its own lock, which
/// keeps the order, and resume the receiver after unlocking.
package final class Mailbox<Element: Sendable>: Sendable {
  private let state: Locked<State>

  /// Makes an empty box.
  ///
  /// - Parameters:
  ///   - limit: the number of elements it keeps; the oldest are evicted. Less than one counts as
  ///     one.
  ///   - missed: makes the element that reports the number of evicted ones; none unless given.
  package init(limit: Int = .max, missed: (@Sendable (Int) -> Element)? = nil) {
    state = Locked(State(limit: max(1, limit), missed: missed))
  }

  /// Appends an element; call the result outside any lock.
  package func push(_ element: Element) -> Resumption {
    state.withLock { $0.push(element) }
  }

  /// Finishes the box, which then takes no more elements; call the result outside any lock.
  package func finish() -> Resumption {
    state.withLock { $0.finish() }
  }

  /// The next element; nil when the box is finished and empty, or the waiting task is cancelled.
  package func next() async -> Element? {
    let ticket = state.withLock { $0.nextTicket() }
    let element = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.receive(continuation, ticket: ticket) }()
      }
    } onCancel: {
      state.withLock { $0.leave(ticket) }()
    }
    // If the task is cancelled after it received its element, `leave` has recorded an absent
    // receiver.
    if Task.isCancelled { state.withLock { $0.forget(ticket) } }
    return element
  }

  /// The number of cancelled receivers that have not arrived yet; they are turned away on arrival.
  var leftCount: Int { state.withLock { $0.left.count } }

  /// The number of receivers that wait for an element.
  var waitingCount: Int { state.withLock { $0.waitingCount } }
}

extension Mailbox {
  fileprivate typealias Receiver = CheckedContinuation<Element?, Never>

  /// Receivers to be resumed once no lock is held.
  package struct Resumption: Sendable {
    fileprivate var receivers: [Receiver] = []

    /// The receivers' element, or the evicted one if there is no receiver.
    ///
    /// An evicted element is released together with this value, because its deinitialiser may run
    /// users' code.
    fileprivate var elements: [Element] = []

    package func callAsFunction() {
      for receiver in receivers { receiver.resume(returning: elements.first) }
    }
  }

  private struct State {
    let limit: Int
    let missed: (@Sendable (Int) -> Element)?

    private var missedCount = 0
    private var elements = FIFO<Element>()
    private var receivers: [(ticket: Int, receiver: Receiver)] = []
    private(set) var left: Set<Int> = []
    private var isFinished = false
    private var lastTicket = 0

    var waitingCount: Int { receivers.count }

    init(limit: Int, missed: (@Sendable (Int) -> Element)?) {
      self.limit = limit
      self.missed = missed
    }

    mutating func nextTicket() -> Int {
      lastTicket += 1
      return lastTicket
    }

    mutating func push(_ element: Element) -> Resumption {
      if isFinished { return Resumption() }
      if receivers.isEmpty {
        var resumption = Resumption()
        if elements.count == limit {
          resumption.elements = elements.popFirst().map { [$0] } ?? []
          missedCount += 1
        }
        elements.append(element)
        return resumption
      }
      return Resumption(receivers: [receivers.removeFirst().receiver], elements: [element])
    }

    mutating func finish() -> Resumption {
      isFinished = true
      defer { receivers = [] }
      return Resumption(receivers: receivers.map(\.receiver))
    }

    mutating func receive(_ receiver: Receiver, ticket: Int) -> Resumption {
      if left.remove(ticket) != nil { return Resumption(receivers: [receiver]) }
      if let missed, missedCount > 0 {
        defer { missedCount = 0 }
        return Resumption(receivers: [receiver], elements: [missed(missedCount)])
      }
      if let element = elements.popFirst() {
        return Resumption(receivers: [receiver], elements: [element])
      }
      if isFinished { return Resumption(receivers: [receiver]) }
      receivers.append((ticket, receiver))
      return Resumption()
    }

    /// Turns a receiver away: now if it waits, otherwise on arrival.
    mutating func leave(_ ticket: Int) -> Resumption {
      guard let index = receivers.firstIndex(where: { $0.ticket == ticket }) else {
        left.insert(ticket)
        return Resumption()
      }
      return Resumption(receivers: [receivers.remove(at: index).receiver])
    }

    /// Forgets a receiver that will never arrive.
    mutating func forget(_ ticket: Int) {
      left.remove(ticket)
    }
  }
}
