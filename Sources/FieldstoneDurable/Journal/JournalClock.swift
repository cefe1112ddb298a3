package import Foundation

/// The clock that decides about waits and leases, and thereby how dead workers are detected.
public enum JournalClock: Sendable, Hashable {
  /// The clocks of the calling worker, for workers of one machine.
  ///
  /// Waits use its wall time, leases its time since boot. Boots are compared: a lease of another
  /// boot has expired. A journal may detect dead workers before their leases expire, for example by
  /// a lock that the system releases.
  case caller
  /// The wall clock of the journal's server, for workers of many machines.
  ///
  /// Waits, leases and all dates that the journal writes use it. Callers' clocks only give
  /// durations: how long work took, and how long a retry waits. Boots are ignored. Only an expired
  /// lease shows that a worker is dead. If the server's clock is set, work repeats or waits, but no
  /// chain breaks: the fence guards every checkpoint.
  case server

  /// The default time that a runner holds a run before it must renew.
  ///
  /// It is 30 s on one machine and 60 s with a server, so that a failover to its standby loses no
  /// lease.
  public var defaultLease: Duration {
    switch self {
    case .caller: .seconds(30)
    case .server: .seconds(60)
    }
  }
}

extension Journal {
  /// The clocks of the calling worker.
  public var clock: JournalClock { .caller }
}

/// A journal that can ask the clock that decides.
package protocol ClockReader: Journal {
  /// The current date by the clock that decides: the server's or the caller's.
  func date(byCaller date: Date) async throws -> Date
}

extension Journal {
  /// The current date by the clock that decides; the caller's if the journal can't ask.
  package func currentDate(byCaller date: Date) async throws -> Date {
    try await (self as? any ClockReader)?.date(byCaller: date) ?? date
  }
}

extension JournalDecorator {
  package func date(byCaller date: Date) async throws -> Date {
    let time = try await decoratedTime(JournalTime(date: date, uptime: .zero, boot: ""))
    return try await decorated.currentDate(byCaller: time.date)
  }
}
