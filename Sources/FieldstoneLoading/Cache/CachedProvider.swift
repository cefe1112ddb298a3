public import FieldstoneCore

/// A provider that keeps its outputs in memory.
///
/// See ``DataProvider/cached(freshFor:staleFor:limit:time:by:)``. Copies share one cache, which
/// lives as long as one of them.
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

  /// Returns a fresh cached value, and loads otherwise.
  ///
  /// - Throws: the provider's error; `CancellationError` if the task is cancelled.
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

  /// Invalidates a key; the next load of it starts anew.
  ///
  /// A load under way continues for its waiting callers, but its result is not stored.
  public func invalidate(_ key: Key) {
    store.invalidate(key)
  }

  /// Invalidates every key that meets a test, stored or under way, as ``invalidate(_:)`` does;
  /// O(n).
  ///
  /// - Parameter isOutdated: whether to invalidate a key; called without a lock, so it may use the
  ///   cache.
  public func invalidate(where isOutdated: (Key) throws -> Bool) rethrows {
    try store.invalidate(where: isOutdated)
  }

  /// Invalidates every key, as ``invalidate(_:)`` does.
  public func invalidateAll() {
    store.invalidate { _ in true }
  }
}

extension DataProvider where Parameters: Hashable {
  /// Caches outputs in memory by their parameters.
  ///
  /// See ``DataProvider/cached(freshFor:staleFor:limit:time:by:)``.
  public func cached(
    freshFor: Duration, staleFor: Duration = .zero, limit: CacheLimit<Output> = .count(1000),
    time: TimeSource = .system
  ) -> CachedProvider<Self, Parameters> {
    cached(freshFor: freshFor, staleFor: staleFor, limit: limit, time: time, by: { $0 })
  }
}

extension DataProvider {
  /// Caches outputs in memory by a key.
  ///
  /// ```swift
  /// let users = network.cached(freshFor: .seconds(60), staleFor: .seconds(600))
  /// users.invalidate("ada")
  /// ```
  ///
  /// - A fresh value is returned without a load. A stale value is reported as an early value, and a
  ///   load follows; if that fails, the stale value stays. An older value is evicted.
  /// - Concurrent loads of one key share one load. A cancelled caller returns at once and does not
  ///   affect the others; the load is cancelled when the last caller leaves. A caller that joins
  ///   receives the latest progress and the latest early value at once.
  /// - A failure is not cached. Nor is a result whose load was invalidated, replaced or left by all
  ///   callers meanwhile. So an older result never replaces a newer one.
  /// - It knows nothing of local changes of an integrator: invalidate a key once the source has its
  ///   change.
  /// - Age is measured from arrival by the time since boot, which can't be set.
  ///
  /// Every operation is O(1). The key's `==` and `hash(into:)` run under the cache's lock: they
  /// must not use the cache.
  ///
  /// - Parameters:
  ///   - freshFor: the time for which an output is returned without a load.
  ///   - staleFor: the time after that for which it is still an early value.
  ///   - limit: the capacity; 1,000 outputs unless given.
  ///   - time: the clock for the ages.
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
  /// The number of cached outputs, their total cost, and the number of loads under way.
  package var census: (count: Int, cost: Int, flights: Int) {
    (store.count, store.totalCost, store.flightCount)
  }
}

/// The capacity of a cache; the least recently used value is evicted first.
public struct CacheLimit<Output: Sendable>: Sendable {
  let maximum: Int
  let cost: @Sendable (Output) -> Int

  /// A maximum number of values; zero or less caches nothing.
  public static func count(_ maximum: Int) -> CacheLimit {
    CacheLimit(maximum: maximum, cost: { _ in 1 })
  }

  /// A maximum total cost; a value that exceeds it by itself is not cached.
  ///
  /// ```swift
  /// images.cached(freshFor: .seconds(3_600), limit: .cost(50_000_000) { $0.count })
  /// ```
  ///
  /// - Parameters:
  ///   - maximum: the maximum total cost; with zero or less, only values without cost are cached.
  ///   - cost: the cost of a value, for example in bytes; less than zero counts as zero.
  public static func cost(
    _ maximum: Int, of cost: @escaping @Sendable (Output) -> Int
  ) -> CacheLimit {
    CacheLimit(maximum: maximum, cost: { max(0, cost($0)) })
  }
}
