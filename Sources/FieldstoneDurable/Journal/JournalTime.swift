public import FieldstoneCore
public import Foundation

/// What the caller's clocks say to a journal: wall time for waits, time since boot for leases.
///
/// A journal with the clock of a server takes from it only how far other dates of the caller are away.
public struct JournalTime: Sendable, Hashable {
  /// The wall time.
  public var date: Date
  /// The time since boot, time asleep included.
  public var uptime: Duration
  /// Names the boot since when the uptime counts: an uptime of another boot says nothing.
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
