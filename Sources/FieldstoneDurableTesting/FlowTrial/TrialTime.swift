import FieldstoneCore
import FieldstoneTesting
import Foundation

/// The clock of a run of a trial: it is moved manually, and knows its sleepers' wake-up times.
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

  /// Waits beyond this, fifty years, are ignored.
  private static let horizon = Duration.seconds(50 * 365 * 86_400)
  /// The poll interval of an idle runner, beyond the horizon.
  static let never = horizon * 2

  init(beginsAt date: Date) {
    clock = ManualTime(now: date)
  }

  var now: Date { clock.now }
  var uptime: Duration { clock.uptime }

  /// The clock of a process; a stage's work gets that of its own process.
  func source(of process: TrialProcess? = nil) -> TimeSource {
    TimeSource(
      now: { self.now }, uptime: { self.uptime },
      sleepUntilUptime: { try await self.sleep(until: $0, in: process) },
      sleepUntilDate: { date in
        let seconds = min(max(date.timeIntervalSince(self.now), 0), 1e12)
        guard seconds > 0 else { return try Task.checkCancellation() }
        // A microsecond more, because dates are rounded.
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

  /// The numbers of the stages' work that sleeps.
  var sleepingWork: Set<Int> { state.withLock { Set($0.sleepers.values.compactMap(\.work)) } }

  /// Jumps to the next moment at which a living process wakes; false if there is none.
  func skip() -> Bool {
    let uptime = uptime
    let next = state.withLock { state in
      state.sleepers.values.filter { $0.process?.isKilled != true }.map(\.deadline).min()
    }
    guard let next, next - uptime < Self.horizon else { return false }
    clock.advance(by: max(next - uptime, .nanoseconds(1)))
    return true
  }

  /// Wakes all sleepers; false if there are none.
  func wakeAll() -> Bool {
    guard clock.sleeperCount > 0 else { return false }
    let last = state.withLock { $0.sleepers.values.map(\.deadline).max() } ?? uptime
    clock.advance(by: max(last - uptime, Self.never))
    return true
  }
}
