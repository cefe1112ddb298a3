/// The signals of a run in memory.
///
/// Names and identifiers are compared by their bytes, as in a database.
struct InMemorySignals {
  private struct Arrival {
    let number: Int
    let signal: SignalRecord
  }

  /// The signals that no checkpoint has consumed, by name, in order of arrival.
  ///
  /// Slices, because a checkpoint consumes the first of a name.
  private var waiting: [[UInt8]: ArraySlice<Arrival>] = [:]
  /// The names of all signals ever received, by identifier.
  private var names: [[UInt8]: String] = [:]

  /// The name of the signal that was received with an identifier.
  func name(of id: String) -> String? { names[Array(id.utf8)] }

  /// The oldest signal of any of these names; O(the number of names).
  func first(of names: [String]) -> SignalRecord? {
    let firsts = names.compactMap { waiting[Array($0.utf8)]?.first }
    return firsts.min { $0.number < $1.number }?.signal
  }

  mutating func append(_ signal: SignalRecord) {
    let arrival = Arrival(number: names.count, signal: signal)
    names[Array(signal.id.utf8)] = signal.name
    waiting[Array(signal.name.utf8), default: []].append(arrival)
  }

  /// Removes a signal; O(1) for the oldest of its name, O(n) in the signals of its name otherwise.
  mutating func consume(_ id: String) {
    guard let name = names[Array(id.utf8)].map({ Array($0.utf8) }),
      let index = waiting[name]?.firstIndex(where: { $0.signal.id.utf8.elementsEqual(id.utf8) })
    else { return }
    if index == waiting[name]?.startIndex {
      // Unlike `remove(at:)`, this moves no other element.
      waiting[name]?.removeFirst()
    } else {
      waiting[name]?.remove(at: index)
    }
    if waiting[name]?.isEmpty == true { waiting[name] = nil }
  }
}
