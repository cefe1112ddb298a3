import FieldstoneCore

/// The deadline for a client's next action, which can be moved.
final class ConnectionDeadline: Sendable {
  private struct State {
    var uptime: Duration?
    var lastWords: [UInt8] = []
  }

  private let state: Locked<State>
  private let ends: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  init(_ uptime: Duration) {
    state = Locked(State(uptime: uptime))
    (ends, ending) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Sets another deadline, nil for none, and what a client that misses it is sent.
  func set(_ uptime: Duration?, orSend lastWords: [UInt8] = []) {
    state.withLock { $0 = State(uptime: uptime, lastWords: lastWords) }
  }

  /// Passes the deadline at once.
  func end() {
    ending.yield()
  }

  /// What a client is sent whose deadline has passed; empty for others.
  func lastWords(_ time: TimeSource) -> [UInt8] {
    let state = state.withLock { $0 }
    guard let uptime = state.uptime, time.uptime >= uptime else { return [] }
    return state.lastWords
  }

  /// Returns when the deadline has passed, or the task is cancelled.
  func passed(_ time: TimeSource) async {
    await withTaskGroup { group in
      group.addTask { for await _ in self.ends { return } }
      group.addTask { await self.waits(time) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Checks every two seconds, because an earlier deadline may be set meanwhile; so it returns at
  /// most two seconds late.
  private func waits(_ time: TimeSource) async {
    while !Task.isCancelled, !isPassed(time) {
      let soon = time.uptime + .seconds(2)
      let next = state.withLock { $0.uptime }.map { min($0, soon) } ?? soon
      guard (try? await time.sleep(untilUptime: next)) != nil else { return }
    }
  }

  private func isPassed(_ time: TimeSource) -> Bool {
    state.withLock { $0.uptime }.map { time.uptime >= $0 } ?? false
  }
}
