/// What all workers on a journal keep together for the runs of a flow.
///
/// ```swift
/// // 20 at a time, one for each customer, and no more than 100 a minute.
/// FlowOptions(
///   limits: FlowLimits(
///     runs: 20, perKey: .init(1), rate: .init(100, each: .seconds(60))))
/// ```
public struct FlowLimits: Sendable, Hashable, Codable {
  /// How many runs of the flow workers have at the same time, on all machines; nil for any number.
  ///
  /// It counts runs with work under way: one that waits for a time, a signal or another attempt has
  /// no place. Less than one counts as one.
  public var runs: Int?
  /// How many runs with the same ``RunOptions/concurrencyKey`` there are at the same time; nil for any
  /// number.
  public var perKey: PerKey?
  /// How often workers take up runs of the flow; nil for as often as they can.
  public var rate: Rate?

  /// A limit for each concurrency key.
  public struct PerKey: Sendable, Hashable, Codable {
    /// How many at the same time; less than one counts as one.
    public var maximum: Int
    /// From when until when a run counts.
    public var counting: Counting
    /// Whether a run keeps its place when it becomes dead or blocked; of effect with
    /// ``Counting/wholeRun`` only.
    public var whenStuck: WhenStuck

    /// Makes a limit; with 1, the runs of a key come one after the other, each from its first claim to
    /// its end.
    public init(
      _ maximum: Int, counting: Counting = .wholeRun, whenStuck: WhenStuck = .holds
    ) {
      self.maximum = maximum
      self.counting = counting
      self.whenStuck = whenStuck
    }
  }

  /// From when until when a run counts.
  public enum Counting: String, Sendable, Hashable, Codable, CaseIterable {
    /// While a worker has it.
    case executing
    /// From the first claim until it is over, its waits and retries included.
    case wholeRun
  }

  /// What becomes of the place of a run that is dead or blocked.
  public enum WhenStuck: String, Sendable, Hashable, Codable, CaseIterable {
    /// The run holds it, and those behind it wait until an operator has dealt with the run.
    case holds
    /// The run releases it, and needs another one once it is retried.
    case releases
  }

  /// How often workers take up runs.
  public struct Rate: Sendable, Hashable, Codable {
    /// How many in a period; less than one counts as one.
    public var count: Int
    /// The period; less than a millisecond counts as one.
    public var period: Duration

    /// Makes a rate.
    ///
    /// It is a bucket of `count` tokens, which fills again evenly over a period. Each claim of a run
    /// takes a token: the first one, one after a wait, and one for another attempt; a takeover after
    /// a crash takes none.
    public init(_ count: Int, each period: Duration) {
      self.count = count
      self.period = period
    }
  }

  /// Makes limits; what is not named is not limited.
  public init(runs: Int? = nil, perKey: PerKey? = nil, rate: Rate? = nil) {
    self.runs = runs
    self.perKey = perKey
    self.rate = rate
  }
}

extension FlowLimits {
  /// The limits as they count.
  package var effective: Self {
    var limits = self
    limits.runs = runs.map { max(1, $0) }
    limits.perKey?.maximum = max(1, perKey?.maximum ?? 1)
    limits.rate?.count = max(1, rate?.count ?? 1)
    limits.rate?.period = max(.milliseconds(1), rate?.period ?? .seconds(1))
    return limits
  }
}

extension FlowLimits.PerKey {
  /// Whether a run that has a place keeps it in a state.
  package func isKept(in state: RunState) -> Bool {
    switch (counting, state) {
    case (_, .running), (.wholeRun, .ready): true
    case (.wholeRun, .dead), (.wholeRun, .blocked): whenStuck == .holds
    case (.executing, _), (.wholeRun, .completed), (.wholeRun, .cancelled): false
    }
  }
}
