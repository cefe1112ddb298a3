import FieldstoneCore
import FieldstoneTesting
import Foundation

/// The clock of a run of a trial: moved by hand, with the moments known at which somebody wakes.
final class TrialTime: Sendable {
  private struct Sleeper {
    let deadline: Duration
    let process: TrialProcess?
    let work: Int?
  }

  private struct State {
    var sleepers: [Int: Sleeper] = [:]
    var lastTicket = 0
  }

  private let clock: ManualTime
  private let state = Locked(State())

  /// Later than this nothing is worth waiting for: fifty years.
  private static let horizon = Duration.seconds(50 * 365 * 86_400)
  /// An idle runner asks its journal so seldom that it is beyond the horizon.
  static let never = horizon * 2

  init(beginsAt date: Date) {
    clock = ManualTime(now: date)
  }

  var now: Date { clock.now }
  var uptime: Duration { clock.uptime }

  /// The clock as a process sees it; as the work of a stage does, that of its own process.
  func source(of process: TrialProcess? = nil) -> TimeSource {
    TimeSource(
      now: { self.now }, uptime: { self.uptime },
      sleepUntilUptime: { try await self.sleep(until: $0, in: process) },
      sleepUntilDate: { date in
        let seconds = min(max(date.timeIntervalSince(self.now), 0), 1e12)
        guard seconds > 0 else { return try Task.checkCancellation() }
        // A microsecond more, for the rounding of dates.
        try await self.sleep(
          until: self.uptime + .seconds(seconds) + .microseconds(1), in: process)
      })
  }

  private func sleep(until deadline: Duration, in runner: TrialProcess?) async throws {
    let work = TrialWork.current
    let process = work?.process ?? runner
    let ticket = state.withLock { state in
      state.lastTicket += 1
      state.sleepers[state.lastTicket] = Sleeper(
        deadline: deadline, process: process, work: work?.number)
      return state.lastTicket
    }
    defer { state.withLock { $0.sleepers[ticket] = nil } }
    let end: Result<Void, any Error>
    do {
      end = .success(try await clock.source.sleep(untilUptime: deadline))
    } catch {
      end = .failure(error)
    }
    // A killed process does nothing more, not even after a cancellation.
    guard await process?.goesOn() ?? true else { throw CancellationError() }
    try end.get()
  }

  /// The work of stages that sleeps, by its number.
  var sleepingWork: Set<Int> { state.withLock { Set($0.sleepers.values.compactMap(\.work)) } }

  /// Jumps to the next moment at which something of a living process wakes; false when there is none.
  func skip() -> Bool {
    let uptime = uptime
    let next = state.withLock { state in
      state.sleepers.values.filter { $0.process?.isKilled != true }.map(\.deadline).min()
    }
    guard let next, next - uptime < Self.horizon else { return false }
    clock.advance(by: max(next - uptime, .nanoseconds(1)))
    return true
  }

  /// Wakes all that sleep; false when none does.
  func wakeAll() -> Bool {
    guard clock.sleeperCount > 0 else { return false }
    let last = state.withLock { $0.sleepers.values.map(\.deadline).max() } ?? uptime
    clock.advance(by: max(last - uptime, Self.never))
    return true
  }
}
