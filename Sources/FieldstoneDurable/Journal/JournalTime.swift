public import FieldstoneCore
public import Foundation

/// The readings of the caller's clocks: wall time for waits, time since boot for leases.
///
/// A journal with a server's clock uses it only to compute the distance to the caller's other
/// dates.
public struct JournalTime: Sendable, Hashable {
  /// The wall time.
  public var date: Date
  /// The time since boot, including time asleep.
  public var uptime: Duration
  /// Identifies the boot; uptimes of different boots can't be compared.
  public var boot: String

  /// Makes a reading.
  public init(date: Date, uptime: Duration, boot: String) {
    self.date = date
    self.uptime = uptime
    self.boot = boot
  }

  /// Reads the clocks of a source.
  public init(_ time: TimeSource, boot: String) {
    self.init(date: time.now, uptime: time.uptime, boot: boot)
  }
}
