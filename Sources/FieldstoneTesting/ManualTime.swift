public import FieldstoneCore
public import Foundation

/// A clock that only the test moves.
///
/// ```swift
/// let time = ManualTime()
/// let call = Task { try await retry(time: time.source) { … } }
/// await time.sleepers(atLeast: 1)
/// time.advance(by: .seconds(2))
/// ```
public final class ManualTime: Sendable {
  private struct State: Sendable {
    var now: Date
    var uptime: Duration
  }

  private enum Deadline: Sendable {
    case uptime(Duration)
    case date(Date)
  }

  private let state: Watched<State>
  /// Apart from the clock: a new sleeper changes nothing for those that sleep.
  private let count = Watched(0)

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - now: the wall time; by default the first moment of 2001 in UTC.
  ///   - uptime: the time since boot.
  public init(
    now: Date = Date(timeIntervalSinceReferenceDate: 0), uptime: Duration = .zero
  ) {
    state = Watched(State(now: now, uptime: uptime))
  }

  /// The time source for the code under test.
  public var source: TimeSource {
    TimeSource(
      now: { self.now },
      uptime: { self.uptime },
      sleepUntilUptime: { try await self.sleep(until: .uptime($0)) },
      sleepUntilDate: { try await self.sleep(until: .date($0)) })
  }

  /// The wall time.
  public var now: Date { state.value.now }

  /// The time since boot.
  public var uptime: Duration { state.value.uptime }

  /// The number of tasks that sleep on this clock.
  public var sleeperCount: Int { count.value }

  /// Advances the wall time and the uptime, and wakes due tasks; zero or less is a no-op.
  public func advance(by duration: Duration) {
    guard duration > .zero else { return }
    state.update { state in
      state.uptime += duration
      state.now += TimeInterval(duration / .seconds(1))
    }
  }

  /// Sets the wall clock, forwards or backwards; the uptime does not change.
  public func setWallClock(to date: Date) {
    state.update { $0.now = date }
  }

  /// Waits until this many tasks sleep on this clock, or the task is cancelled.
  public func sleepers(atLeast count: Int) async {
    try? await self.count.waitUnlessCancelled { $0 >= count }
  }

  private func sleep(until deadline: Deadline) async throws {
    try Task.checkCancellation()
    if Self.isReached(deadline, in: state.value) { return }
    count.update { $0 += 1 }
    defer { count.update { $0 -= 1 } }
    try await state.waitUnlessCancelled { Self.isReached(deadline, in: $0) }
  }

  private static func isReached(_ deadline: Deadline, in state: State) -> Bool {
    switch deadline {
    case .uptime(let uptime): state.uptime >= uptime
    case .date(let date): state.now >= date
    }
  }
}
