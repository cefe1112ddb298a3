import FieldstoneCore

/// The states of a screen for one consumer; holds only the latest one that it has not taken.
///
/// A consumer on the main actor takes the present state without leaving it, so that the state can't
/// change meanwhile. The iterator of an `AsyncStream` leaves the actor even for a buffered element.
struct LatestStates<State: Sendable>: AsyncSequence, Sendable {
  struct Iterator: AsyncIteratorProtocol {
    let latest: Locked<State?>
    var changes: AsyncStream<Void>.Iterator

    mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
      repeat {
        if let state = latest.withLock({ $0.take() }) { return state }
      } while await changes.next(isolation: actor) != nil
      return latest.withLock { $0.take() }
    }

    mutating func next() async -> State? { await next(isolation: #isolation) }
  }

  let latest: Locked<State?>
  let changes: AsyncStream<Void>

  func makeAsyncIterator() -> Iterator {
    Iterator(latest: latest, changes: changes.makeAsyncIterator())
  }
}

/// The sequences of a screen's states.
@MainActor
struct StateStreams<State: Sendable> {
  private struct Follower {
    let latest: Locked<State?>
    let change: AsyncStream<Void>.Continuation
    /// True after the sequence has ended; set on any thread.
    let hasGone = Locked(false)
  }

  private var followers: [Follower] = []
  /// The number of followers at which ended ones are searched for and removed.
  private var limit = 16

  /// The number of known followers, including those that ended and are not removed yet.
  var count: Int { followers.count }

  /// A sequence of the present state and of each change.
  mutating func stream(from state: State) -> LatestStates<State> {
    removeEndedFollowers()
    let (changes, change) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let follower = Follower(latest: Locked<State?>(state), change: change)
    change.onTermination = { [hasGone = follower.hasGone] _ in
      hasGone.withLock { $0 = true }
    }
    followers.append(follower)
    return LatestStates(latest: follower.latest, changes: changes)
  }

  /// Sends a state to all live followers.
  mutating func tell(_ state: State) {
    followers.removeAll {
      // The state before is released after the lock: a `deinit` of its values is users' code.
      _ = $0.latest.exchange(state)
      return if case .terminated = $0.change.yield() { true } else { false }
    }
  }

  /// Ends the sequences after their latest state; called by a `deinit`, on any thread.
  nonisolated func finish() {
    for follower in followers { follower.change.finish() }
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
