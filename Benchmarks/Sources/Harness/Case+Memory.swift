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
}
