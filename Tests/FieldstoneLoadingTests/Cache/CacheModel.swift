import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting

/// What a cache should do, written down as plainly as possible, for random sequences to compare.
struct CacheModel {
  struct Flight {
    let load: Int
    var members: [Int] = []
    var lastEarly: String?
    var lastProgress: String?
  }

  let fresh = 10
  let stale = 5
  let limit = 2

  var now = 0
  /// By use, the oldest first.
  var entries: [(key: Int, value: String, arrival: Int)] = []
  /// All loads that were begun, by number; a key has one that is current.
  var flights: [Int: Flight] = [:]
  var current: [Int: Int] = [:]
  var loadCount = 0
  /// What each member should have heard.
  var heard: [[String]] = []

  enum Answer: Equatable {
    case fresh(String)
    case begins(load: Int)
    case joins
  }

  mutating func call(_ key: Int) -> Answer {
    heard.append([])
    let member = heard.count - 1
    var shown: String?
    if let index = entries.firstIndex(where: { $0.key == key }) {
      let entry = entries.remove(at: index)
      let age = now - entry.arrival
      if age < fresh + stale { entries.append(entry) }
      if age < fresh { return .fresh(entry.value) }
      if age < fresh + stale { shown = entry.value }
    }
    if let load = current[key], var flight = flights[load] {
      flight.members.append(member)
      heard[member] += [flight.lastEarly ?? shown, flight.lastProgress].compactMap { $0 }
      flights[load] = flight
      return .joins
    }
    flights[loadCount] = Flight(load: loadCount, members: [member])
    current[key] = loadCount
    loadCount += 1
    heard[member] += [shown].compactMap { $0 }
    return .begins(load: loadCount - 1)
  }

  /// True when the load has to stop.
  mutating func leave(_ member: Int, of load: Int) -> Bool {
    flights[load]?.members.removeAll { $0 == member }
    guard flights[load]?.members.isEmpty == true else { return false }
    end(load)
    return true
  }

  mutating func early(_ value: String, of load: Int) {
    guard let flight = flights[load] else { return }
    flights[load]?.lastEarly = value
    for member in flight.members { heard[member].append(value) }
  }

  mutating func progress(_ part: String, of load: Int) {
    guard let flight = flights[load] else { return }
    flights[load]?.lastProgress = part
    for member in flight.members { heard[member].append(part) }
  }

  /// Gives back the members who get the answer.
  mutating func answer(_ load: Int, with value: String?) -> [Int] {
    guard let flight = flights[load] else { return [] }
    if let value, let key = current.first(where: { $0.value == load })?.key {
      entries.removeAll { $0.key == key }
      if entries.count == limit { entries.removeFirst() }
      entries.append((key, value, now))
    }
    end(load)
    return flight.members
  }

  mutating func invalidate(_ key: Int) {
    entries.removeAll { $0.key == key }
    current[key] = nil
  }

  private mutating func end(_ load: Int) {
    flights[load] = nil
    current = current.filter { $0.value != load }
  }
}
