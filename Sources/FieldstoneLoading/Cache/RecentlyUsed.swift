/// Values by key in the order in which they were used; every step in O(1).
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

  /// The value of a key; it counts as used, the latest of all.
  mutating func use(_ key: Key) -> Value? {
    guard let place = places[key], let slot = slots[place] else { return nil }
    unlink(slot)
    link(place)
    return slot.value
  }

  /// Adds a value as the latest used; the key must be new.
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

  /// Puts the slot at the newest end.
  private mutating func link(_ place: Int) {
    slots[place]?.older = newest
    slots[place]?.newer = nil
    if let newest { slots[newest]?.newer = place } else { oldest = place }
    newest = place
  }

  /// Joins the neighbours of a slot.
  private mutating func unlink(_ slot: Slot) {
    if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
    if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
  }
}
