/// Elements on their way from code that never waits to an asynchronous sequence.
///
/// Sending is two steps, so that a sender under a lock of its own, to keep the order, resumes
/// the receiver after it: `mailbox.push(element)()`.
package final class Mailbox<Element: Sendable>: Sendable {
  private let state: Locked<State>

  /// Makes an empty box.
  ///
  /// - Parameters:
  ///   - limit: how many elements it keeps; the oldest make room. Less than one counts as one.
  ///   - missed: the element that tells how many had to make room; none unless given.
  package init(limit: Int = .max, missed: (@Sendable (Int) -> Element)? = nil) {
    state = Locked(State(limit: max(1, limit), missed: missed))
  }

  /// Puts an element into the box; call what comes back outside of any lock.
  package func push(_ element: Element) -> Resumption {
    state.withLock { $0.push(element) }
  }

  /// Says that nothing more comes; call what comes back outside of any lock.
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
    // Cancelled when it had its element, it has left as one that has not come yet.
    if Task.isCancelled { state.withLock { $0.forget(ticket) } }
    return element
  }

  /// How many receivers are to be turned away when they come.
  var leftCount: Int { state.withLock { $0.left.count } }

  /// How many receivers wait for an element.
  var waitingCount: Int { state.withLock { $0.waitingCount } }
}

extension Mailbox {
  fileprivate typealias Receiver = CheckedContinuation<Element?, Never>

  /// Receivers to be resumed once no lock is held.
  package struct Resumption: Sendable {
    fileprivate var receivers: [Receiver] = []

    /// The receivers' element; without receivers the evicted one, which is released with this, as
    /// its end may run users' code.
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

    /// Turns a receiver away: now when it waits, on arrival when it has not come yet.
    mutating func leave(_ ticket: Int) -> Resumption {
      guard let index = receivers.firstIndex(where: { $0.ticket == ticket }) else {
        left.insert(ticket)
        return Resumption()
      }
      return Resumption(receivers: [receivers.remove(at: index).receiver])
    }

    /// Takes note that a receiver does not come any more.
    mutating func forget(_ ticket: Int) {
      left.remove(ticket)
    }
  }
}
