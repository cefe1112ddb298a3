import FieldstoneCore

/// Hands elements to a handler one after the other, in the order in which they were sent.
///
/// Whoever sends while nobody is handing out does it himself, on his own thread and outside any
/// lock; all others leave their elements and go on. The handler may send.
final class SerialDelivery<Element: Sendable>: Sendable {
  private struct State {
    var waiting = FIFO<Element>()
    var isDelivering = false
  }

  private let state = Locked(State())
  private let handler: @Sendable (Element) -> Void

  init(_ handler: @escaping @Sendable (Element) -> Void) {
    self.handler = handler
  }

  func send(_ element: Element) {
    let isMine = state.withLock { state in
      state.waiting.append(element)
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isMine else { return }
    while let element = next() { handler(element) }
  }

  private func next() -> Element? {
    state.withLock { state in
      let element = state.waiting.popFirst()
      state.isDelivering = element != nil
      return element
    }
  }
}
