/// How much a cache keeps: the least recently used goes first.
public struct CacheLimit<Output: Sendable>: Sendable {
  let maximum: Int
  let cost: @Sendable (Output) -> Int

  /// So many values; with zero or less nothing is kept.
  public static func count(_ maximum: Int) -> CacheLimit {
    CacheLimit(maximum: maximum, cost: { _ in 1 })
  }

  /// Values that cost so much together; one that costs more by itself is not kept.
  ///
  /// ```swift
  /// images.cached(limit: .cost(50_000_000) { $0.count })
  /// ```
  ///
  /// - Parameters:
  ///   - maximum: what all may cost; with zero or less, only what costs nothing is kept.
  ///   - cost: what a value costs, in bytes say; less than zero counts as zero.
  public static func cost(
    _ maximum: Int, of cost: @escaping @Sendable (Output) -> Int
  ) -> CacheLimit {
    CacheLimit(maximum: maximum, cost: { max(0, cost($0)) })
  }
}
