package import FieldstoneCore

/// The cache that all copies of a cached provider share.
package final class CacheStore<Key: Hashable & Sendable, Output: Sendable>: Sendable {
  private typealias State = CacheState<Key, Output>

  package enum Entrance: Sendable {
    case fresh(Output)
    case shared(SharedWork<Output>.Admission)
  }

  private let state: Locked<CacheState<Key, Output>>
  private let cost: @Sendable (Output) -> Int
  private let time: TimeSource

  package init(
    freshFor: Duration, staleFor: Duration, limit: CacheLimit<Output>, time: TimeSource
  ) {
    state = Locked(
      State(freshFor: freshFor, staleFor: staleFor, maximumCost: limit.maximum))
    cost = limit.cost
    self.time = time
  }

  package var count: Int { state.withLock { $0.count } }
  var totalCost: Int { state.withLock { $0.totalCost } }
  package var flightCount: Int { state.withLock { $0.flightCount } }

  /// Returns a fresh value, or joins the callers that wait for one.
  ///
  /// Reading and joining are one step. Otherwise a load could end in between, and the stale value
  /// would be reported after its result and replace it on screen.
  package func enter(
    _ key: Key, events: LoadEvents<Output>,
    load: @escaping @Sendable (LoadEvents<Output>) async throws -> Output
  ) -> Entrance {
    let now = time.uptime
    let (entrance, released) = state.withLock { state -> (Entrance, Released) in
      var stale: Output?
      var released = Released()
      switch state.find(key, now: now) {
      case .fresh(let output): return (.fresh(output), released)
      case .stale(let output): stale = output
      case .nothing(let expired): released.entries = expired.map { [$0] } ?? []
      }
      if let place = state.flight(for: key)?.work.admit(events, early: stale) {
        return (.shared(place), released)
      }
      let number = state.nextNumber()
      let place = SharedWork.admitting(events, early: stale) { [self] events in
        do {
          let output = try await load(events)
          keep(output, of: number, for: key)
          return output
        } catch {
          end(number, for: key)
          throw error
        }
      }
      released.flight = state.add(State.Flight(number: number, work: place.work), for: key)
      return (.shared(place), released)
    }
    withExtendedLifetime(released) {}
    return entrance
  }

  /// Releases a load that all members have left and that ignores its cancellation.
  package func letGo(of key: Key) {
    let released = state.withLock { $0.endIfOver(key) }
    withExtendedLifetime(released) {}
  }

  package func invalidate(_ key: Key) {
    let released = state.withLock { $0.invalidate(key) }
    withExtendedLifetime(released) {}
  }

  package func invalidate(where isOutdated: (Key) throws -> Bool) rethrows {
    // The test runs outside the lock. A load that begins meanwhile counts as later than this call.
    let keys = try state.withLock { $0.keys }.filter(isOutdated)
    let released = state.withLock { state in keys.map { state.invalidate($0) } }
    withExtendedLifetime(released) {}
  }

  /// Stores the result of a load unless the load was invalidated or left by all members.
  private func keep(_ output: Output, of number: Int, for key: Key) {
    let cost = cost(output)
    let now = time.uptime
    let released = state.withLock { state -> Released in
      guard let flight = state.end(number, for: key) else { return Released() }
      guard !flight.work.isOver else { return Released(flight: flight) }
      return Released(
        entries: state.store(output, cost: cost, for: key, now: now), flight: flight)
    }
    withExtendedLifetime(released) {}
  }

  private func end(_ number: Int, for key: Key) {
    let released = state.withLock { $0.end(number, for: key) }
    withExtendedLifetime(released) {}
  }

  /// Evicted entries, to be released outside the lock: their deinitialisers may run users' code.
  private struct Released: Sendable {
    var entries: [State.Entry] = []
    var flight: State.Flight?
  }
}
