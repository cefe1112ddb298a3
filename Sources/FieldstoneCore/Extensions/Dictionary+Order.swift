extension Dictionary where Key == Int {
  /// The values in the order of their keys, in O(n log n).
  ///
  /// Only keys are sorted: sorting pairs adds 3 KB to every program for each type of pair.
  @inlinable package var valuesInOrder: [Value] {
    Array(keys).inOrder.compactMap { self[$0] }
  }
}

extension Dictionary where Key == String {
  /// The values in the order of their keys, in O(n log n).
  @inlinable package var valuesInOrder: [Value] {
    keysInOrder.compactMap { self[$0] }
  }

  /// The sorted keys, in O(n log n).
  @inlinable package var keysInOrder: [String] {
    Array(keys).inOrder
  }
}

// Each sort is compiled only here: every module that sorts adds 3 KB for each type of collection.

extension [Int] {
  /// The sorted numbers, in O(n log n).
  @usableFromInline @inline(never) package var inOrder: [Int] { sorted() }
}

extension [String] {
  /// The sorted texts, in O(n log n).
  @usableFromInline @inline(never) package var inOrder: [String] { sorted() }
}
