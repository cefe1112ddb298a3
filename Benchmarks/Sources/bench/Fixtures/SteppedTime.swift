import FieldstoneCore
import FieldstoneDurable
import Foundation
import Synchronization

/// A time that stands still but for its steps: what sleeps, sleeps until the next.
///
/// So the cost of a poll is measured without waiting for it, and nothing polls between samples.
final class SteppedTime: Sendable {
  private struct State {
    var steps = 0
    var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
    var next = 0
    var arrival: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  /// How far a step goes: past every poll.
  private static let step = Duration.seconds(1)

  var source: TimeSource {
    TimeSource(
      now: { WorkingRuns.time.date },
      uptime: { WorkingRuns.time.uptime + Self.step * self.state.withLock { $0.steps } },
      sleepUntilUptime: { _ in try await self.sleep() },
      sleepUntilDate: { _ in try await self.sleep() })
  }

  /// Ends the sleep that is under way, and waits until all is asleep again.
  func advance() async {
    await withCheckedContinuation { arrival in
      let sleepers = state.withLock { state in
        state.steps += 1
        state.arrival = arrival
        defer { state.sleepers = [:] }
        return state.sleepers.values
      }
      for sleeper in sleepers { sleeper.resume() }
    }
  }

  /// Waits until something sleeps.
  func untilAsleep() async {
    await withCheckedContinuation { arrival in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.arrival = arrival }
        return !state.sleepers.isEmpty
      }
      if isAsleep { arrival.resume() }
    }
  }

  private func sleep() async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let arrival = state.withLock { state in
          state.sleepers[number] = continuation
          return state.arrival.take()
        }
        arrival?.resume()
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func cancel(_ number: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: number) }?
      .resume(throwing: CancellationError())
  }
}
