extension Dictionary where Key: Comparable {
  /// The values in the order of their keys, in O(n log n).
  ///
  /// Only keys are sorted: a sort of pairs costs every program 3 KB for each kind of pair.
  @inlinable package var valuesInOrder: [Value] {
    keys.sorted().compactMap { self[$0] }
  }
}
