public import Foundation

/// Where time comes from: the wall clock, the time since boot, and a way to sleep.
///
/// Everything in Fieldstone that asks for the time takes one of these, so that a test moves time
/// by hand (`ManualTime` in FieldstoneTesting) and never sleeps. Wall time is for people and may
/// jump; uptime only ever grows and is right for intervals, leases and timeouts.
public struct TimeSource: Sendable {
  private let readings: Readings?
  private let sleepUntilUptime: @Sendable (Duration) async throws -> Void
  private let sleepUntilDate: @Sendable (Date) async throws -> Void

  /// The clocks of a source that is not the system's.
  private struct Readings: Sendable {
    let now: @Sendable () -> Date
    let uptime: @Sendable () -> Duration
  }

  /// Makes a source of one's own.
  ///
  /// - Parameters:
  ///   - now: the wall time.
  ///   - uptime: the time since boot, time asleep included; it never goes back.
  ///   - sleepUntilUptime: returns once the uptime is reached; throws `CancellationError` when
  ///     the task is cancelled first.
  ///   - sleepUntilDate: the same for a wall time, also when the wall clock is set meanwhile.
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
    // The system's clock is read without a closure: fields stamp every change with it.
    if let readings { readings.now() } else { Date() }
  }

  /// The time since boot, time asleep included.
  public var uptime: Duration {
    if let readings { readings.uptime() } else { SystemTime.uptime }
  }

  /// Sleeps until a wall time; returns at once when it has passed.
  ///
  /// The system's source notices within a minute that the wall clock was set.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until date: Date) async throws {
    try await sleepUntilDate(date)
  }

  /// Sleeps until a time since boot; returns at once when it has passed.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(untilUptime deadline: Duration) async throws {
    try await sleepUntilUptime(deadline)
  }

  /// Sleeps for a while; a duration of zero or less returns at once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await sleepUntilUptime(uptime + duration)
  }
}
