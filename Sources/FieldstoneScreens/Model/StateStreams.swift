/// Those who follow what a screen shows, each of them by the latest state.
@MainActor
struct StateStreams<State: Sendable> {
  private var continuations: [AsyncStream<State>.Continuation] = []

  /// A sequence of the state as it is and of those that are told.
  mutating func stream(from state: State) -> AsyncStream<State> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(state)
    continuations.append(continuation)
    return stream
  }

  /// Tells a state to all who still follow.
  mutating func tell(_ state: State) {
    continuations.removeAll {
      if case .terminated = $0.yield(state) { true } else { false }
    }
  }

  /// Ends the sequences; what was told is still taken.
  func finish() {
    for continuation in continuations { continuation.finish() }
  }
}
