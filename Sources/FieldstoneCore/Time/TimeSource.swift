public import Foundation

/// A source of time: the wall clock, the time since boot, and a way to sleep.
///
/// All code in Fieldstone that reads a clock or waits takes one. A test moves time by hand, with
/// `ManualTime` of FieldstoneTesting, and never sleeps. Wall time is for people and may jump.
/// Uptime never goes back; use it for intervals, leases and timeouts.
public struct TimeSource: Sendable {
  private let readings: Readings?
  private let sleepUntilUptime: @Sendable (Duration) async throws -> Void
  private let sleepUntilDate: @Sendable (Date) async throws -> Void

  /// The clocks of a source that is not the system's.
  private struct Readings: Sendable {
    let now: @Sendable () -> Date
    let uptime: @Sendable () -> Duration
  }

  /// Makes a custom source.
  ///
  /// - Parameters:
  ///   - now: the wall time.
  ///   - uptime: the time since boot, including time asleep; it never goes back.
  ///   - sleepUntilUptime: returns once the uptime is reached; throws `CancellationError` if the
  ///     task is cancelled first.
  ///   - sleepUntilDate: the same for a wall time, even if the wall clock is set meanwhile.
  public init(
    now: @escaping @Sendable () -> Date,
    uptime: @escaping @Sendable () -> Duration,
    sleepUntilUptime: @escaping @Sendable (Duration) async throws -> Void,
    sleepUntilDate: @escaping @Sendable (Date) async throws -> Void
  ) {
    self.readings = Readings(now: now, uptime: uptime)
    self.sleepUntilUptime = sleepUntilUptime
    self.sleepUntilDate = sleepUntilDate
  }

  private init() {
    readings = nil
    sleepUntilUptime = { try await SystemTime.sleep(untilUptime: $0) }
    sleepUntilDate = { try await SystemTime.sleep(until: $0) }
  }

  /// The clocks of this machine.
  public static let system = TimeSource()

  /// Whether these are the clocks of this machine.
  var isSystem: Bool { readings == nil }

  /// The wall time.
  public var now: Date {
    // The system's clock is read without a closure, because fields stamp every change with it.
    if let readings { readings.now() } else { Date() }
  }

  /// The time since boot, including time asleep.
  public var uptime: Duration {
    if let readings { readings.uptime() } else { SystemTime.uptime }
  }

  /// Sleeps until a wall time; returns at once if it has passed.
  ///
  /// The system's source notices within a minute if the wall clock is set.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until date: Date) async throws {
    try await sleepUntilDate(date)
  }

  /// Sleeps until a time since boot; returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(untilUptime deadline: Duration) async throws {
    try await sleepUntilUptime(deadline)
  }

  /// Sleeps for a duration; zero or less returns at once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleepUntilUptime(uptime + duration)
  }
}

/// The clocks of this machine.
enum SystemTime {
  /// The longest sleep until a wall time without reading the wall clock again.
  private static let longestUncheckedSleep = Duration.seconds(60)

  /// The longest single sleep by uptime: Swift's own clock traps on an extremely long one.
  private static let longestSleep = Duration.seconds(86_400)

  /// The time since boot, including time asleep.
  static var uptime: Duration {
    var time = timespec()
    #if canImport(Darwin)
      // On Darwin CLOCK_MONOTONIC continues while the machine sleeps.
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  static func sleep(untilUptime deadline: Duration) async throws {
    try Task.checkCancellation()
    while true {
      let remaining = deadline - uptime
      guard remaining > .zero else { return }
      try await Task.sleep(for: min(remaining, longestSleep), clock: .continuous)
    }
  }

  static func sleep(until date: Date) async throws {
    try Task.checkCancellation()
    while true {
      let remaining = date.timeIntervalSinceNow
      guard remaining > 0 else { return }
      let nap = remaining < 60 ? Duration.seconds(remaining) : longestUncheckedSleep
      try await Task.sleep(for: nap, clock: .continuous)
    }
  }
}
