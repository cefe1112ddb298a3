/// The rule for a call that is started while another one has not ended.
///
/// | policy | the new call | the call before |
/// | --- | --- | --- |
/// | ``concurrent`` | runs | continues |
/// | `.only(.join)` | shares the load of equal parameters, otherwise runs | continues |
/// | `.only(.reject)` | is cancelled as busy | continues |
/// | `.queue(limit:)` | waits for its turn, or is cancelled as busy | continues |
/// | `.latest(debounce:)` | runs after the debounce | ends at once as superseded |
///
/// A call counts until it has *ended*: no call waits for work that ignores its cancellation. (Seed:
/// IDMCore's executing types.)
public struct CallPolicy<Parameters: Sendable>: Sendable {
  let rule: CallRule
  let key: (@Sendable (Parameters) -> any Hashable & Sendable)?

  private init(_ rule: CallRule, key: (@Sendable (Parameters) -> any Hashable & Sendable)? = nil) {
    self.rule = rule
    self.key = key
  }

  /// Every call runs concurrently with the others; the default.
  public static var concurrent: CallPolicy { CallPolicy(.concurrent) }

  /// One call at a time; another call is rejected or joins.
  public static func only(_ exclusion: Exclusion) -> CallPolicy {
    if let key = exclusion.key { CallPolicy(.join, key: key) } else { CallPolicy(.reject) }
  }

  /// One call at a time, in the order in which they were started.
  ///
  /// - Parameter limit: the number of calls that may wait for the running one; a further call is
  ///   cancelled as busy. Less than zero counts as zero.
  public static func queue(limit: Int = .max) -> CallPolicy {
    CallPolicy(.queue(limit: max(0, limit)))
  }

  /// Only the newest call: it supersedes the previous one, which ends at once.
  public static var latest: CallPolicy { latest(debounce: .zero) }

  /// Only the newest call, after a time without a newer one.
  ///
  /// - Parameter debounce: the time a call waits before it runs; zero or less means no wait.
  public static func latest(debounce: Duration) -> CallPolicy {
    CallPolicy(.latest(debounce: max(.zero, debounce)))
  }

  /// The treatment of a call while another is under way.
  public struct Exclusion: Sendable {
    let key: (@Sendable (Parameters) -> any Hashable & Sendable)?

    /// The call is cancelled as busy, whatever its parameters.
    public static var reject: Exclusion { Exclusion(key: nil) }
  }
}

extension CallPolicy.Exclusion where Parameters: Hashable {
  /// The call shares the load of a call with equal parameters; calls with other parameters run.
  ///
  /// The shared load has the retries of the integrator (``Integrator/retry``). A call's own retries,
  /// recovery and ignored errors apply only to that call, which continues alone after the shared
  /// load fails. Its delay applies only to that call, too: it joins when the delay is over. A
  /// cancelled caller leaves at once and does not affect the others; when the last one leaves, the
  /// load is cancelled.
  public static var join: Self { Self { $0 } }
}

extension CallPolicy.Exclusion where Parameters == Void {
  /// The call shares the load of the call under way.
  ///
  /// A call's own delay, retries, recovery and ignored errors apply only to that call. A cancelled
  /// caller leaves at once and does not affect the others; when the last one leaves, the load is
  /// cancelled.
  public static var join: Self { Self { _ in 0 } }
}
