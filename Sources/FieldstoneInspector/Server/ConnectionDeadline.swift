#if Inspector
  import FieldstoneCore

  /// The time until which a client must have done its part; it moves on.
  final class ConnectionDeadline: Sendable {
    private let uptime: Locked<Duration?>

    init(_ uptime: Duration) {
      self.uptime = Locked(uptime)
    }

    /// Sets another time; nil for none.
    func set(_ uptime: Duration?) {
      self.uptime.withLock { $0 = uptime }
    }

    /// Returns when the time has come, or the task is cancelled.
    ///
    /// A nearer time may be set meanwhile, so it looks again every two seconds: that is how late it
    /// can be.
    func passed(_ time: TimeSource) async {
      while !Task.isCancelled {
        let end = uptime.withLock { $0 }
        if let end, time.uptime >= end { return }
        let soon = time.uptime + .seconds(2)
        guard (try? await time.sleep(untilUptime: min(end ?? soon, soon))) != nil else { return }
      }
    }
  }
#endif
