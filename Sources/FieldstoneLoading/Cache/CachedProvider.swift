public import FieldstoneCore

/// A provider that keeps what it loaded in memory: see
/// ``DataProvider/cached(freshFor:staleFor:limit:time:by:)``.
///
/// Copies share one cache. It lives as long as one of them.
public struct CachedProvider<Base: DataProvider, Key: Hashable & Sendable>: DataProvider {
  private let base: Base
  private let key: @Sendable (Base.Parameters) -> Key
  let store: CacheStore<Key, Base.Output>

  init(
    _ base: Base, key: @escaping @Sendable (Base.Parameters) -> Key,
    store: CacheStore<Key, Base.Output>
  ) {
    self.base = base
    self.key = key
    self.store = store
  }

  /// Gives what is kept and fresh, and otherwise loads.
  ///
  /// - Throws: the provider's error; `CancellationError` when the task is cancelled.
  @concurrent
  public func load(
    _ parameters: Base.Parameters, reporting events: LoadEvents<Base.Output>
  ) async throws -> Base.Output {
    try Task.checkCancellation()
    let key = key(parameters)
    let entrance = store.enter(key, events: events) { [base] events in
      try await base.load(parameters, reporting: events)
    }
    switch entrance {
    case .fresh(let output): return output
    case .shared(let place):
      place.begin()
      do {
        return try await place.member.value
      } catch {
        store.letGo(of: key)
        throw error
      }
    }
  }

  /// Forgets what is kept for a key; the next load is a new one.
  ///
  /// A load that is under way goes on for its waiting callers, and its result is not kept.
  public func invalidate(_ key: Key) {
    store.invalidate(key)
  }

  /// Forgets every key that meets a test, kept or under way, as ``invalidate(_:)`` does; in O(n).
  ///
  /// - Parameter isOutdated: whether to forget a key; called without a lock, so that it may use
  ///   the cache.
  public func invalidate(where isOutdated: (Key) throws -> Bool) rethrows {
    try store.invalidate(where: isOutdated)
  }

  /// Forgets everything, as ``invalidate(_:)`` does.
  public func invalidateAll() {
    store.invalidate { _ in true }
  }
}

extension DataProvider where Parameters: Hashable {
  /// Keeps outputs in memory by the parameters: see
  /// ``DataProvider/cached(freshFor:staleFor:limit:time:by:)``.
  public func cached(
    freshFor: Duration, staleFor: Duration = .zero, limit: CacheLimit<Output> = .count(1000),
    time: TimeSource = .system
  ) -> CachedProvider<Self, Parameters> {
    cached(freshFor: freshFor, staleFor: staleFor, limit: limit, time: time, by: { $0 })
  }
}

extension DataProvider {
  /// Keeps outputs in memory by a key.
  ///
  /// ```swift
  /// let users = network.cached(freshFor: .seconds(60), staleFor: .seconds(600))
  /// users.invalidate("ada")
  /// ```
  ///
  /// - A fresh value is given without a load. A stale value is an early value, and a load follows;
  ///   when that fails, the stale value stays. An older value is evicted.
  /// - Loads of one key that are under way are one. A cancelled caller returns at once and fails no
  ///   other; the work stops when the last one leaves. A caller that joins gets at once the last
  ///   progress and the last early value.
  /// - A failure is not kept, nor is what a load gives that was invalidated, replaced or left by
  ///   all meanwhile. So nothing older ever takes the place of something newer.
  /// - Age is counted from the arrival by the time since boot, which can't be set.
  ///
  /// Every step costs O(1). The key's `==` and `hash(into:)` run under the cache's lock: they must
  /// not use the cache.
  ///
  /// - Parameters:
  ///   - freshFor: how long an output is given without a load.
  ///   - staleFor: how long after that it is still an early value.
  ///   - limit: how much is kept; 1,000 outputs unless given.
  ///   - time: what the ages go by.
  ///   - key: makes the key of parameters; outputs of equal keys must be interchangeable.
  public func cached<Key: Hashable & Sendable>(
    freshFor: Duration, staleFor: Duration = .zero, limit: CacheLimit<Output> = .count(1000),
    time: TimeSource = .system, by key: @escaping @Sendable (Parameters) -> Key
  ) -> CachedProvider<Self, Key> {
    CachedProvider(
      self, key: key,
      store: CacheStore(freshFor: freshFor, staleFor: staleFor, limit: limit, time: time))
  }
}

extension CachedProvider {
  /// How many outputs are kept, what they cost together, and how many loads are under way.
  package var census: (count: Int, cost: Int, flights: Int) {
    (store.count, store.totalCost, store.flightCount)
  }
}

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
