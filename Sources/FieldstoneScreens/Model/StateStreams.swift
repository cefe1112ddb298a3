import FieldstoneCore

/// The streams of a screen's states; each buffers only the latest state.
@MainActor
struct StateStreams<State: Sendable> {
  private struct Follower {
    let continuation: AsyncStream<State>.Continuation
    /// True after the stream has ended; set on any thread.
    let hasGone = Locked(false)
  }

  private var followers: [Follower] = []
  /// The number of followers at which ended ones are searched for and removed.
  private var limit = 16

  /// The number of known followers, including those that ended and are not removed yet.
  var count: Int { followers.count }

  /// A stream of the present state and of each change.
  mutating func stream(from state: State) -> AsyncStream<State> {
    removeEndedFollowers()
    let (stream, continuation) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    let follower = Follower(continuation: continuation)
    continuation.onTermination = { [hasGone = follower.hasGone] _ in
      hasGone.withLock { $0 = true }
    }
    continuation.yield(state)
    followers.append(follower)
    return stream
  }

  /// Sends a state to all live followers.
  mutating func tell(_ state: State) {
    followers.removeAll {
      if case .terminated = $0.continuation.yield(state) { true } else { false }
    }
  }

  /// Ends the streams after their buffered state; called by a `deinit`, on any thread.
  nonisolated func finish() {
    for follower in followers { follower.continuation.finish() }
  }

  /// An idle screen sends no state, so adding a follower also removes ended ones.
  private mutating func removeEndedFollowers() {
    guard followers.count >= limit else { return }
    followers.removeAll { $0.hasGone.withLock { $0 } }
    limit = max(16, followers.count * 2)
  }
}

/// Calls a closure at an uptime, unless the timer is set again before.
@MainActor
final class ScreenTimer {
  private var deadline: Duration?
  private var task: Task<Void, Never>?

  func set(_ deadline: Duration?, time: TimeSource, body: @escaping @MainActor () -> Void) {
    guard deadline != self.deadline else { return }
    task?.cancel()
    task = nil
    self.deadline = deadline
    guard let deadline else { return }
    task = Task { [weak self] in
      guard (try? await time.sleep(untilUptime: deadline)) != nil, !Task.isCancelled else { return }
      self?.deadline = nil
      self?.task = nil
      body()
    }
  }

  deinit {
    task?.cancel()
  }
}
