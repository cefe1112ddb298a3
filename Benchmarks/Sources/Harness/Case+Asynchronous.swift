extension Case {
  /// Makes a case whose body is asynchronous and starts off the main actor.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - operations: How many operations one run of the body does.
  ///   - runs: How often the body runs in a sample; nil lets the harness choose.
  ///   - goals: The bounds that the case has to keep.
  ///   - body: What is timed.
  public init(
    _ name: String, operations: Int = 1, runs: Int? = nil, goals: [Goal] = [],
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    self.init(name, operations: operations, runs: runs, goals: goals) { runs in
      let start = ContinuousClock.now
      for _ in 0..<runs { try await body() }
      return start.nanosecondsToNow
    }
  }

  /// Makes a case whose body is asynchronous and works on a state made anew for each sample.
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
    setup: @escaping @Sendable () async throws -> State,
    _ body: @escaping @Sendable (inout State) async throws -> Void
  ) {
    self.init(name, operations: operations, runs: runs, goals: goals) { runs in
      var state = try await setup()
      let start = ContinuousClock.now
      for _ in 0..<runs { try await body(&state) }
      let elapsed = start.nanosecondsToNow
      blackHole(state)
      return elapsed
    }
  }

  /// Makes a case whose setup and body run on the main actor.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - operations: How many operations one run of the body does.
  ///   - runs: How often the body runs in a sample; nil lets the harness choose.
  ///   - goals: The bounds that the case has to keep.
  ///   - setup: Makes the state, once a sample; neither this nor the state's release is timed.
  ///   - body: What is timed.
  public static func onMainActor<State>(
    _ name: String, operations: Int = 1, runs: Int? = nil, goals: [Goal] = [],
    setup: @escaping @MainActor () async throws -> State,
    _ body: @escaping @MainActor (inout State) async throws -> Void
  ) -> Case {
    Case(name, operations: operations, runs: runs, goals: goals) { @MainActor runs in
      var state = try await setup()
      let start = ContinuousClock.now
      for _ in 0..<runs { try await body(&state) }
      let elapsed = start.nanosecondsToNow
      blackHole(state)
      return elapsed
    }
  }
}
