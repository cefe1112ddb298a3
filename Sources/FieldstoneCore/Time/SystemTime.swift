import Foundation

/// The clocks of this machine.
enum SystemTime {
  /// How long a sleep until a wall time goes without looking at the wall clock again.
  private static let longestUncheckedSleep = Duration.seconds(60)

  /// How long a sleep by the time since boot is in one piece: Swift's own clock traps on one that
  /// is as good as for ever.
  private static let longestSleep = Duration.seconds(86_400)

  /// The time since boot, time asleep included.
  static var uptime: Duration {
    var time = timespec()
    #if canImport(Darwin)
      // On Darwin CLOCK_MONOTONIC counts on while the machine sleeps.
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
