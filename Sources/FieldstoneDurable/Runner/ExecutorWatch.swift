/// Tests with probes whether an executor still runs its jobs.
struct ExecutorWatch {
  /// The findings about a probe that does not return.
  enum Finding: Equatable {
    /// The wait has reached the reporting limit; found once per probe.
    case heldUp(Duration)
    /// The wait has reached the maximum; found once per probe.
    case hung(Duration)
  }

  /// The wait for a probe after which it is reported.
  private let notice: Duration
  /// The longest wait for a probe.
  private let patience: Duration
  private var askedAt: Duration?
  private var isNoticed = false
  /// Whether the wait for the probe has reached the maximum.
  private(set) var isHung = false

  init(lease: Duration, patience: Duration) {
    notice = lease / 3
    self.patience = max(notice, patience)
  }

  /// When to check the probe next; nil if none is out.
  var nextLook: Duration? {
    guard let askedAt, !isHung else { return nil }
    return askedAt + (isNoticed ? patience : notice)
  }

  /// Sends a probe, unless one is still out.
  mutating func ask(at uptime: Duration) -> Bool {
    guard askedAt == nil else { return false }
    askedAt = uptime
    return true
  }

  mutating func look(at uptime: Duration) -> Finding? {
    guard let askedAt, !isHung else { return nil }
    let wait = uptime - askedAt
    if wait >= patience {
      isNoticed = true
      isHung = true
      return .hung(wait)
    }
    guard wait >= notice, !isNoticed else { return nil }
    isNoticed = true
    return .heldUp(wait)
  }

  /// Takes the return of the probe.
  ///
  /// - Returns: the time that it took, if that was long.
  mutating func answer(at uptime: Duration) -> Duration? {
    defer {
      askedAt = nil
      isNoticed = false
      isHung = false
    }
    guard let askedAt, isNoticed || uptime - askedAt >= notice else { return nil }
    return uptime - askedAt
  }
}
