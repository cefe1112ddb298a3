/// The limits that all workers on a journal share for the runs of a flow.
///
/// ```swift
/// // 20 at a time, one for each customer, and no more than 100 a minute.
/// FlowOptions(
///   limits: FlowLimits(
///     runs: 20, perKey: .init(1), rate: .init(100, each: .seconds(60))))
/// ```
public struct FlowLimits: Sendable, Hashable, Codable {
  /// The largest number of the flow's runs at the same time, on all machines; nil for any number.
  ///
  /// Values below one count as one.
  public var runs: Int?
  /// The period during which a run counts for ``runs``.
  public var counting: Counting
  /// Whether a dead or blocked run keeps counting for ``runs``.
  ///
  /// It has an effect with ``Counting/wholeRun`` only.
  public var whenStuck: WhenStuck
  /// The limit of runs with the same ``RunOptions/concurrencyKey`` at the same time; nil for none.
  public var perKey: PerKey?
  /// The rate at which workers claim runs of the flow; nil for no limit.
  public var rate: Rate?

  /// A limit for each concurrency key.
  public struct PerKey: Sendable, Hashable, Codable {
    /// The largest number at the same time; values below one count as one.
    public var maximum: Int
    /// The period during which a run counts.
    public var counting: Counting
    /// Whether a run keeps its place when it becomes dead or blocked.
    ///
    /// It has an effect with ``Counting/wholeRun`` only.
    public var whenStuck: WhenStuck

    /// Makes a limit.
    ///
    /// With 1 and ``Counting/wholeRun``, the runs of a key execute one after the other, each from
    /// its first claim to its end.
    public init(
      _ maximum: Int, counting: Counting = .wholeRun, whenStuck: WhenStuck = .holds
    ) {
      self.maximum = maximum
      self.counting = counting
      self.whenStuck = whenStuck
    }
  }

  /// The period during which a run counts.
  public enum Counting: String, Sendable, Hashable, Codable, CaseIterable {
    /// While a worker holds it.
    case executing
    /// From the first claim until it is over, including its waits and retries.
    case wholeRun
  }

  /// What happens to the place of a dead or blocked run.
  public enum WhenStuck: String, Sendable, Hashable, Codable, CaseIterable {
    /// The run keeps it, and later runs wait until an operator has handled the run.
    case holds
    /// The run releases it, and needs another place when it is retried.
    case releases
  }

  /// A limit of claims per period.
  public struct Rate: Sendable, Hashable, Codable {
    /// The number in a period; values below one count as one.
    public var count: Int
    /// The period; values below a millisecond count as one.
    public var period: Duration

    /// Makes a rate.
    ///
    /// It is a token bucket of `count` tokens, which refills evenly over a period. Each claim of a
    /// run takes a token: the first one, one after a wait, and one for another attempt. A takeover
    /// after a crash takes none.
    public init(_ count: Int, each period: Duration) {
      self.count = count
      self.period = period
    }
  }

  /// Makes limits; omitted parameters set no limit.
  ///
  /// With ``Counting/executing`` a run that waits for a time, a signal or another attempt does not
  /// count for `runs`; with ``Counting/wholeRun`` it does.
  public init(
    runs: Int? = nil, counting: Counting = .executing, whenStuck: WhenStuck = .holds,
    perKey: PerKey? = nil, rate: Rate? = nil
  ) {
    self.runs = runs
    self.counting = counting
    self.whenStuck = whenStuck
    self.perKey = perKey
    self.rate = rate
  }
}

extension FlowLimits {
  /// The effective limits, with values clamped.
  package var effective: Self {
    var limits = self
    limits.runs = runs.map { max(1, $0) }
    if runs == nil { (limits.counting, limits.whenStuck) = (.executing, .holds) }
    limits.perKey?.maximum = max(1, perKey?.maximum ?? 1)
    limits.rate?.count = max(1, rate?.count ?? 1)
    limits.rate?.period = max(.milliseconds(1), rate?.period ?? .seconds(1))
    return limits
  }

  /// The largest number of running runs; nil for any number.
  package var runningRuns: Int? { counting == .executing ? runs : nil }

  /// The largest number of runs that have begun and are not over; nil for any number.
  ///
  /// Each of them has a place of its flow.
  package var wholeRuns: Int? { counting == .wholeRun ? runs : nil }

  /// Whether a run in a state keeps its place of the flow.
  package func isPlaceKept(in state: RunState) -> Bool {
    wholeRuns != nil && counting.keepsPlace(in: state, whenStuck)
  }
}

extension FlowLimits.PerKey {
  /// Whether a run in a state keeps its place of the key.
  package func isPlaceKept(in state: RunState) -> Bool { counting.keepsPlace(in: state, whenStuck) }
}

extension FlowLimits.Counting {
  fileprivate func keepsPlace(
    in state: RunState, _ whenStuck: FlowLimits.WhenStuck
  ) -> Bool {
    switch (self, state) {
    case (_, .running), (.wholeRun, .ready): true
    case (.wholeRun, .dead), (.wholeRun, .blocked): whenStuck == .holds
    case (.executing, _), (.wholeRun, .completed), (.wholeRun, .cancelled): false
    }
  }
}
