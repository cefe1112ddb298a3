/// The entries of a cache and its loads under way: transitions that take no lock and make no calls.
struct CacheState<Key: Hashable & Sendable, Output: Sendable> {
  struct Entry: Sendable {
    let output: Output
    let cost: Int
    /// The time since boot when it arrived.
    let arrival: Duration
  }

  struct Flight: Sendable {
    let number: Int
    let work: SharedWork<Output>
  }

  enum Found: Sendable {
    case fresh(Output)
    case stale(Output)
    /// An expired entry is returned, to be released outside the lock.
    case nothing(expired: Entry?)
  }

  let freshFor: Duration
  let staleFor: Duration
  let maximumCost: Int

  private var entries = RecentlyUsed<Key, Entry>()
  private var flights: [Key: Flight] = [:]
  private var lastNumber = 0
  private(set) var totalCost = 0

  init(freshFor: Duration, staleFor: Duration, maximumCost: Int) {
    self.freshFor = max(.zero, freshFor)
    self.staleFor = max(.zero, staleFor)
    self.maximumCost = max(0, maximumCost)
  }

  var count: Int { entries.count }
  var flightCount: Int { flights.count }
  var keys: [Key] { Array(Set(entries.keys).union(flights.keys)) }

  mutating func find(_ key: Key, now: Duration) -> Found {
    guard let entry = entries.use(key) else { return .nothing(expired: nil) }
    let age = now - entry.arrival
    if age < freshFor { return .fresh(entry.output) }
    if age < freshFor + staleFor { return .stale(entry.output) }
    return .nothing(expired: remove(key))
  }

  /// The load under way for a key, unless it was invalidated.
  func flight(for key: Key) -> Flight? { flights[key] }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Registers a load as the one under way for a key; returns the load that it replaces.
  mutating func add(_ flight: Flight, for key: Key) -> Flight? {
    flights.updateValue(flight, forKey: key)
  }

  /// Ends a load and returns it; nil if another load replaced it, or it was invalidated.
  mutating func end(_ number: Int, for key: Key) -> Flight? {
    guard flights[key]?.number == number else { return nil }
    return flights.removeValue(forKey: key)
  }

  /// Ends the load of a key if all its members have left.
  mutating func endIfOver(_ key: Key) -> Flight? {
    guard let flight = flights[key], flight.work.isOver else { return nil }
    return flights.removeValue(forKey: key)
  }

  /// Stores the latest output of a key; returns the replaced and evicted entries.
  mutating func store(_ output: Output, cost: Int, for key: Key, now: Duration) -> [Entry] {
    var gone: [Entry] = []
    if let before = remove(key) { gone.append(before) }
    guard cost <= maximumCost, freshFor + staleFor > .zero else { return gone }
    while totalCost > maximumCost - cost, let oldest = entries.removeOldest() {
      totalCost -= oldest.cost
      gone.append(oldest)
    }
    entries.insert(Entry(output: output, cost: cost, arrival: now), for: key)
    totalCost += cost
    return gone
  }

  /// Removes a key's value and its load under way, whose result will not be stored.
  mutating func invalidate(_ key: Key) -> (Entry?, Flight?) {
    (remove(key), flights.removeValue(forKey: key))
  }

  private mutating func remove(_ key: Key) -> Entry? {
    guard let entry = entries.remove(key) else { return nil }
    totalCost -= entry.cost
    return entry
  }
}

/// Values by key in order of use; every operation is O(1).
struct RecentlyUsed<Key: Hashable, Value> {
  private struct Slot {
    var key: Key
    var value: Value
    var older: Int?
    var newer: Int?
  }

  private var places: [Key: Int] = [:]
  private var slots: [Slot?] = []
  private var free: [Int] = []
  private var oldest: Int?
  private var newest: Int?

  var count: Int { places.count }
  var keys: [Key] { Array(places.keys) }

  /// The value of a key, which becomes the most recently used.
  mutating func use(_ key: Key) -> Value? {
    guard let place = places[key], let slot = slots[place] else { return nil }
    unlink(slot)
    link(place)
    return slot.value
  }

  /// Adds a value as the most recently used; the key must be new.
  mutating func insert(_ value: Value, for key: Key) {
    let slot = Slot(key: key, value: value)
    let place: Int
    if let last = free.popLast() {
      place = last
      slots[place] = slot
    } else {
      place = slots.count
      slots.append(slot)
    }
    places[key] = place
    link(place)
  }

  mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key), let slot = slots[place] else { return nil }
    unlink(slot)
    slots[place] = nil
    free.append(place)
    return slot.value
  }

  mutating func removeOldest() -> Value? {
    guard let oldest, let slot = slots[oldest] else { return nil }
    return remove(slot.key)
  }

  /// Links a slot at the newest end.
  private mutating func link(_ place: Int) {
    slots[place]?.older = newest
    slots[place]?.newer = nil
    if let newest { slots[newest]?.newer = place } else { oldest = place }
    newest = place
  }

  /// Links the neighbours of a slot to each other.
  private mutating func unlink(_ slot: Slot) {
    if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
    if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
  }
}
