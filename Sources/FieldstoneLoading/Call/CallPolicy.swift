/// The rule for a call that is started while another one has not ended.
///
/// | policy | the new call | the call before |
/// | --- | --- | --- |
/// | ``concurrent`` | runs | runs on |
/// | `.only(.join)` | with equal parameters shares the load under way, otherwise runs | runs on |
/// | `.only(.reject)` | ends as cancelled, being busy | runs on |
/// | `.queue(limit:)` | waits for its turn, or ends as cancelled, being busy | runs on |
/// | `.latest(debounce:)` | runs, after the debounce | ends at once as superseded |
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

  /// Every call runs, beside the others; the default.
  public static var concurrent: CallPolicy { CallPolicy(.concurrent) }

  /// One at a time: a call that comes meanwhile is turned away or joins.
  public static func only(_ exclusion: Exclusion) -> CallPolicy {
    if let key = exclusion.key { CallPolicy(.join, key: key) } else { CallPolicy(.reject) }
  }

  /// One at a time, in the order in which they were started.
  ///
  /// - Parameter limit: how many may wait beside the one that runs; the one over it ends as
  ///   cancelled, being busy. Less than zero counts as zero.
  public static func queue(limit: Int = .max) -> CallPolicy {
    CallPolicy(.queue(limit: max(0, limit)))
  }

  /// The newest call only: it supersedes the one before, which ends at once, and does not wait
  /// for it.
  public static var latest: CallPolicy { latest(debounce: .zero) }

  /// The newest call only, once no newer one has come for a while.
  ///
  /// - Parameter debounce: how long a call waits before it runs; zero or less waits for nothing.
  public static func latest(debounce: Duration) -> CallPolicy {
    CallPolicy(.latest(debounce: max(.zero, debounce)))
  }

  /// The treatment of a call that may not run beside another.
  public struct Exclusion: Sendable {
    let key: (@Sendable (Parameters) -> any Hashable & Sendable)?

    /// It ends as cancelled, being busy, for any parameters.
    public static var reject: Exclusion { Exclusion(key: nil) }
  }
}

extension CallPolicy.Exclusion where Parameters: Hashable {
  /// It shares the work of the call with equal parameters; calls with other parameters run.
  ///
  /// Calls share one load, with the retries of the integrator (``Integrator/retry``); the first
  /// call decides on its delay. A call's own retries, recovery and ignored errors apply to that
  /// call alone: after a failed shared load it goes on by itself. A caller that cancels leaves at
  /// once and disturbs no other; when the last one leaves, the work is cancelled.
  public static var join: Self { Self { $0 } }
}

extension CallPolicy.Exclusion where Parameters == Void {
  /// It shares the load of the call under way.
  ///
  /// A call's own retries, recovery and ignored errors are applied to that call alone. A caller
  /// that cancels leaves at once and disturbs no other; when the last one leaves, the work is
  /// cancelled.
  public static var join: Self { Self { _ in 0 } }
}
