extension Dictionary where Key == Int {
  /// The values in the order of their keys, in O(n log n).
  ///
  /// Only keys are sorted: a sort of pairs costs every program 3 KB for each kind of pair.
  @inlinable package var valuesInOrder: [Value] {
    Array(keys).inOrder.compactMap { self[$0] }
  }
}

extension Dictionary where Key == String {
  /// The values in the order of their keys, in O(n log n).
  @inlinable package var valuesInOrder: [Value] {
    keysInOrder.compactMap { self[$0] }
  }

  /// The keys in their order, in O(n log n).
  @inlinable package var keysInOrder: [String] {
    Array(keys).inOrder
  }
}

// Each sort is compiled here and nowhere else: every module that sorts adds 3 KB for each kind of
// collection.

extension [Int] {
  /// The numbers in their order, in O(n log n).
  @usableFromInline @inline(never) package var inOrder: [Int] { sorted() }
}

extension [String] {
  /// The texts in their order, in O(n log n).
  @usableFromInline @inline(never) package var inOrder: [String] { sorted() }
}
