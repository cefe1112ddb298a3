/// The clock that decides in a journal about waits and leases, and so how it knows of dead workers.
public enum JournalClock: Sendable, Hashable {
  /// The clocks of the worker that asks, for workers of one machine.
  ///
  /// Waits go by its wall time, leases by its time since boot. Boots are compared: a lease of another
  /// boot is over. A journal may know of dead workers before their leases end, for one by a lock that
  /// the system releases.
  case caller
  /// The wall clock of the server that keeps the journal, for workers of many machines.
  ///
  /// Waits and leases go by it, and so do all dates that the journal writes. Callers' clocks count as
  /// differences only: how long work took, and how long a retry waits. Boots mean nothing. The end of
  /// its lease alone tells that a worker is dead. A server whose clock is set makes work repeat or
  /// wait, and breaks no chain: the fence guards every checkpoint.
  case server

  /// How long a runner has a run before it must renew, unless its options say otherwise: 30 seconds
  /// on one machine; 60 with a server, so that a failover to its standby costs no lease.
  public var defaultLease: Duration {
    switch self {
    case .caller: .seconds(30)
    case .server: .seconds(60)
    }
  }
}

extension Journal {
  /// The clocks of the worker that asks.
  public var clock: JournalClock { .caller }
}
