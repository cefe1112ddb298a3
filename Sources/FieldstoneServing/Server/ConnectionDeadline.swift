import FieldstoneCore

/// The deadline for a client's next action, which can be moved.
final class ConnectionDeadline: Sendable {
  private struct State {
    var uptime: Duration?
    var isWithinRequest = false
  }

  private let state: Locked<State>
  private let ends: AsyncStream<Void>
  private let ending: AsyncStream<Void>.Continuation

  init(_ uptime: Duration) {
    state = Locked(State(uptime: uptime))
    (ends, ending) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Sets another deadline; nil for none.
  func set(_ uptime: Duration?, isWithinRequest: Bool = false) {
    state.withLock { $0 = State(uptime: uptime, isWithinRequest: isWithinRequest) }
  }

  /// Passes the deadline at once.
  func end() {
    ending.yield()
  }

  /// Whether the deadline has passed during a request.
  func hasCut(_ time: TimeSource) -> Bool {
    state.withLock { $0.isWithinRequest } && isPassed(time)
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
