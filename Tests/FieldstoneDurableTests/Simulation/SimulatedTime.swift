import FieldstoneCore
import Foundation

/// Time that jumps to the next moment at which somebody wakes.
final class SimulatedTime: Sendable {
  private struct Sleeper {
    var ticket: Int
    var deadline: Duration
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var uptime = Duration.zero
    var sleepers: [Sleeper] = []
    var left: Set<Int> = []
    var lastTicket = 0
    var isOver = false
  }

  /// Both clocks go together here.
  private let beginning = Date(timeIntervalSince1970: 1_800_000_000)
  private let state = Locked(State())

  var uptime: Duration { state.withLock { $0.uptime } }
  var now: Date { beginning + TimeInterval(uptime / .seconds(1)) }

  var source: TimeSource {
    TimeSource(
      now: { self.now }, uptime: { self.uptime },
      sleepUntilUptime: { try await self.pause(until: $0) },
      sleepUntilDate: { date in
        // A microsecond more, for the rounding of dates.
        let wait = date.timeIntervalSince(self.beginning)
        try await self.pause(until: .seconds(min(wait, 1e9)) + .microseconds(1))
      })
  }

  /// Jumps to the next moment at which somebody wakes, and further by an excess; false when nobody
  /// sleeps.
  func jump(beyond excess: Duration) -> Bool {
    let woken: [Sleeper]? = state.withLock { state in
      guard let next = state.sleepers.map(\.deadline).min() else { return nil }
      state.uptime = max(state.uptime, next) + excess
      let uptime = state.uptime
      let woken = state.sleepers.filter { $0.deadline <= uptime }
      state.sleepers.removeAll { $0.deadline <= uptime }
      return woken
    }
    for sleeper in woken ?? [] { sleeper.continuation.resume() }
    return woken != nil
  }

  /// Wakes all who sleep, as if they were cancelled, and lets nobody sleep again.
  ///
  /// Who sleeps for ever would keep the time that keeps him, and the world with it.
  func end() {
    let woken = state.withLock { state in
      state.isOver = true
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in woken { sleeper.continuation.resume(throwing: CancellationError()) }
  }

  func pause(until deadline: Duration) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = state.withLock { state in
          if state.left.remove(ticket) != nil || state.isOver {
            return .failure(CancellationError())
          }
          if state.uptime >= deadline { return .success(()) }
          state.sleepers.append(
            Sleeper(ticket: ticket, deadline: deadline, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let sleeper: Sleeper? = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.ticket == ticket }) else {
          state.left.insert(ticket)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
