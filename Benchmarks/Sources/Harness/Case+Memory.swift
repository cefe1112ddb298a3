import CHeap

extension Case {
  /// Makes a case of a group of bytes: the live heap that one object holds on to.
  ///
  /// So many objects are made and kept, and what the heap grew by is shared out among them. The
  /// allocator's own overhead is part of it, as it is in a program.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - objects: How many objects one sample makes.
  ///   - goals: The bounds that the case has to keep.
  ///   - make: Makes one object with all that it needs to live.
  public static func memory(
    _ name: String, objects: Int = 10_000, goals: [Goal] = [],
    _ make: @escaping @Sendable () -> AnyObject
  ) -> Case {
    Case(name, operations: objects, runs: 1, goals: goals) { _ in
      var kept: [AnyObject] = []
      kept.reserveCapacity(objects)
      blackHole(make())
      let before = heap_live_bytes()
      for _ in 0..<objects { kept.append(make()) }
      let after = heap_live_bytes()
      blackHole(kept)
      return Double(after) - Double(before)
    }
  }

  /// Makes a case of a group of bytes: the live heap that a state under way holds on to, shared out
  /// among its objects.
  ///
  /// - Parameters:
  ///   - name: The name, unique in its group.
  ///   - objects: How many objects the state holds.
  ///   - goals: The bounds that the case has to keep.
  ///   - setup: Makes what is needed before, once a sample; it is not counted.
  ///   - hold: Brings the state about, and returns what ends it.
  public static func memory<State>(
    _ name: String, objects: Int, goals: [Goal] = [],
    setup: @escaping @Sendable () async throws -> State,
    hold: @escaping @Sendable (State) async throws -> @Sendable () async throws -> Void
  ) -> Case {
    Case(name, operations: objects, runs: 1, goals: goals) { _ in
      let state = try await setup()
      let before = heap_live_bytes()
      let release = try await hold(state)
      let after = heap_live_bytes()
      try await release()
      return Double(after) - Double(before)
    }
  }
}
