/// Whether an executor still runs what it is given: a probe is put on it and comes back, or does
/// not.
struct ExecutorWatch {
  /// What is seen of a probe that does not come back.
  enum Finding: Equatable {
    /// It has been waited for so long; found once a probe.
    case heldUp(Duration)
    /// It has been waited for too long; found once a probe.
    case hung(Duration)
  }

  /// How long a probe is waited for before the wait is reported.
  private let notice: Duration
  /// How long a probe is waited for at most.
  private let patience: Duration
  private var askedAt: Duration?
  private var isNoticed = false
  /// Whether the probe has been waited for too long.
  private(set) var isHung = false

  init(lease: Duration, patience: Duration) {
    notice = lease / 3
    self.patience = max(notice, patience)
  }

  /// When to look at the probe next; nil when none is out.
  var nextLook: Duration? {
    guard let askedAt, !isHung else { return nil }
    return askedAt + (isNoticed ? patience : notice)
  }

  /// Sends a probe, unless one is out.
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

  /// The probe has come back.
  ///
  /// - Returns: how long it took, if that was long.
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
