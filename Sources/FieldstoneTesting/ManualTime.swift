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
  private let clock: Locked<ManualClock>

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - now: the wall time; by default the first moment of 2001 in UTC.
  ///   - uptime: the time since boot.
  public init(
    now: Date = Date(timeIntervalSinceReferenceDate: 0), uptime: Duration = .zero
  ) {
    clock = Locked(ManualClock(now: now, uptime: uptime))
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
  public var now: Date { clock.withLock { $0.now } }

  /// The time since boot.
  public var uptime: Duration { clock.withLock { $0.uptime } }

  /// The number of tasks that sleep on this clock.
  ///
  /// A task whose time has come, or that is cancelled, no longer counts, even before it runs again.
  public var sleeperCount: Int { clock.withLock { $0.sleeperCount } }

  /// Advances the wall time and the uptime, and wakes due tasks; zero or less is a no-op.
  public func advance(by duration: Duration) {
    guard duration > .zero else { return }
    move { clock in
      clock.uptime += duration
      clock.now += TimeInterval(duration / .seconds(1))
    }
  }

  /// Sets the wall clock, forwards or backwards; the uptime does not change.
  public func setWallClock(to date: Date) {
    move { $0.now = date }
  }

  /// Waits until this many tasks sleep on this clock, or the task is cancelled.
  public func sleepers(atLeast count: Int) async {
    _ = await wait(until: .sleepers(count))
  }

  private func sleep(until goal: ManualClock.Goal) async throws {
    try Task.checkCancellation()
    guard await wait(until: goal) else { throw CancellationError() }
  }

  private func move(_ change: (inout ManualClock) -> Void) {
    let woken = clock.withLock { clock in
      change(&clock)
      return clock.takeDue()
    }
    for continuation in woken { continuation.resume(returning: true) }
  }

  /// Waits until the clock meets a goal; false if the task is cancelled first.
  private func wait(until goal: ManualClock.Goal) async -> Bool {
    let ticket = clock.withLock { $0.makeTicket() }
    let isMet = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isMet, woken) = clock.withLock { $0.enter(ticket, goal, continuation) }
        if let isMet { continuation.resume(returning: isMet) }
        for continuation in woken { continuation.resume(returning: true) }
      }
    } onCancel: {
      clock.withLock { $0.cancel(ticket) }?.resume(returning: false)
    }
    // A cancellation may have come too late to find a waiting task.
    clock.withLock { $0.forget(ticket) }
    return isMet
  }
}

/// The times of a manual clock and the tasks that wait for it; its owner resumes them outside its
/// lock.
///
/// Times and sleepers are one state. Moving the clock removes the due sleepers in the same step, so a
/// task that was woken is never counted.
private struct ManualClock {
  enum Goal {
    case uptime(Duration)
    case date(Date)
    /// A number of other tasks that sleep.
    case sleepers(Int)
  }

  typealias Continuation = CheckedContinuation<Bool, Never>

  private struct Waiter {
    let goal: Goal
    let continuation: Continuation
  }

  var now: Date
  var uptime: Duration
  private var sleepers: [Int: Waiter] = [:]
  /// The tasks that wait for sleepers, apart from them: a new sleeper concerns these few alone.
  private var watchers: [Int: Waiter] = [:]
  /// The tickets that were cancelled before their tasks waited.
  private var cancelled: Set<Int> = []
  private var lastTicket = 0

  init(now: Date, uptime: Duration) {
    self.now = now
    self.uptime = uptime
  }

  var sleeperCount: Int { sleepers.count }

  mutating func makeTicket() -> Int {
    lastTicket += 1
    return lastTicket
  }

  /// Lets a task wait for a goal; returns at once whether it is met if the task need not wait, and
  /// the tasks that waited for it.
  mutating func enter(
    _ ticket: Int, _ goal: Goal, _ continuation: Continuation
  ) -> (isMet: Bool?, woken: [Continuation]) {
    if cancelled.contains(ticket) { return (false, []) }
    if isMet(goal) { return (true, []) }
    let waiter = Waiter(goal: goal, continuation: continuation)
    if case .sleepers = goal {
      watchers[ticket] = waiter
      return (nil, [])
    }
    sleepers[ticket] = waiter
    return (nil, take(from: \.watchers))
  }

  /// Removes the sleepers whose time has come, and returns them.
  mutating func takeDue() -> [Continuation] {
    take(from: \.sleepers)
  }

  /// Removes a task that is cancelled, and returns it if it waits.
  mutating func cancel(_ ticket: Int) -> Continuation? {
    if let waiter = sleepers.removeValue(forKey: ticket) ?? watchers.removeValue(forKey: ticket) {
      return waiter.continuation
    }
    cancelled.insert(ticket)
    return nil
  }

  /// Ends the use of a ticket, whose task waits no longer.
  mutating func forget(_ ticket: Int) {
    cancelled.remove(ticket)
  }

  private mutating func take(
    from waiters: WritableKeyPath<Self, [Int: Waiter]>
  ) -> [Continuation] {
    let met = self[keyPath: waiters].filter { isMet($0.value.goal) }
    for ticket in met.keys { self[keyPath: waiters][ticket] = nil }
    return met.sorted { $0.key < $1.key }.map(\.value.continuation)
  }

  private func isMet(_ goal: Goal) -> Bool {
    switch goal {
    case .uptime(let goal): uptime >= goal
    case .date(let goal): now >= goal
    case .sleepers(let count): sleepers.count >= count
    }
  }
}
