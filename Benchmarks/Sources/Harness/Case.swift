/// One thing to measure.
///
/// A case's body is run several times per sample, so often that the sample lasts long enough to
/// be timed. What it does in one run is one operation, unless `operations` says otherwise.
public struct Case: Sendable {
  /// The case's name; those of our own begin with `fieldstone`.
  public let name: String
  /// How many operations one run of the body does.
  let operations: Int
  /// How often the body runs in one sample, or nil where the harness finds out.
  let runs: Int?
  /// The bounds that the case has to keep.
  let goals: [Goal]
  /// Takes one sample of so many runs, and gives its total in the group's unit.
  let sample: @Sendable @concurrent (_ runs: Int) async throws -> Double

  /// Makes a case that takes its samples itself.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - operations: How many operations one run does.
  ///   - runs: How many runs a sample has; nil lets the harness choose.
  ///   - goals: The bounds that the case has to keep.
  ///   - sample: Does so many runs, and gives their total in the group's unit.
  public init(
    _ name: String, operations: Int = 1, runs: Int? = nil, goals: [Goal] = [],
    taking sample: @escaping @Sendable @concurrent (_ runs: Int) async throws -> Double
  ) {
    self.name = name
    self.operations = max(1, operations)
    self.runs = runs.map { max(1, $0) }
    self.goals = goals
    self.sample = sample
  }
}

extension Case {
  /// Makes a case whose body is synchronous.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - operations: How many operations one run of the body does.
  ///   - runs: How often the body runs in a sample; nil lets the harness choose.
  ///   - goals: The bounds that the case has to keep.
  ///   - body: What is timed.
  public init(
    _ name: String, operations: Int = 1, runs: Int? = nil, goals: [Goal] = [],
    _ body: @escaping @Sendable () throws -> Void
  ) {
    self.init(name, operations: operations, runs: runs, goals: goals) { runs in
      let start = ContinuousClock.now
      for _ in 0..<runs { try body() }
      return start.nanosecondsToNow
    }
  }

  /// Makes a case whose body is synchronous and works on a state made anew for each sample.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - operations: How many operations one run of the body does.
  ///   - runs: How often the body runs in a sample; nil lets the harness choose.
  ///   - goals: The bounds that the case has to keep.
  ///   - setup: Makes the state, once a sample; neither this nor the state's release is timed.
  ///   - body: What is timed.
  public init<State>(
    _ name: String, operations: Int = 1, runs: Int? = nil, goals: [Goal] = [],
    setup: @escaping @Sendable () throws -> State,
    _ body: @escaping @Sendable (inout State) throws -> Void
  ) {
    self.init(name, operations: operations, runs: runs, goals: goals) { runs in
      var state = try setup()
      let start = ContinuousClock.now
      for _ in 0..<runs { try body(&state) }
      let elapsed = start.nanosecondsToNow
      blackHole(state)
      return elapsed
    }
  }
}

extension ContinuousClock.Instant {
  /// The time since this instant.
  var nanosecondsToNow: Double {
    (ContinuousClock.now - self) / .nanoseconds(1)
  }
}
