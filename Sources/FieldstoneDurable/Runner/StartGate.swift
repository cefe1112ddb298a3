import FieldstoneCore

/// Lets so many starts in at the same time, the others in turn: each holds its stage as JSON until
/// it is written.
final class StartGate: Sendable {
  private struct State {
    var places: Int
    var waiting = FIFO<CheckedContinuation<Void, Never>>()

    mutating func takePlace() -> Bool {
      guard places > 0 else { return false }
      places -= 1
      return true
    }
  }

  private let state: Locked<State>

  init(places: Int) {
    state = Locked(State(places: places))
  }

  func enter() async {
    if state.withLock({ $0.takePlace() }) { return }
    await withCheckedContinuation { continuation in
      let isIn = state.withLock { state in
        if state.takePlace() { return true }
        state.waiting.append(continuation)
        return false
      }
      if isIn { continuation.resume() }
    }
  }

  func leave() {
    // The place goes from one to the other, so that none comes in between.
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.places += 1 }
      return next
    }
    next?.resume()
  }
}
