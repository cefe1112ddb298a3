/// The connections that are open, and what a new one may do; a pure state machine.
///
/// A connection that waits for a request has nothing to lose: the one that has waited longest makes
/// room. While all are busy, a reserve serves one short request of each new client.
package struct ConnectionTable: Sendable {
  /// The verdict on a new connection.
  package enum Entry: Sendable, Equatable {
    /// It is served.
    case open(Int)
    /// It is served in the place of an idle one, which is to be closed.
    case instead(Int, of: Int)
    /// It is served one short request.
    case short(Int)
    /// There is no place.
    case full
  }

  private let limits: SiteLimits
  private var last = 0
  /// The connections in ordinary places.
  private var open: Set<Int> = []
  /// Those of them that wait for a request, with the order in which they began to.
  private var idle: [Int: Int] = [:]
  private var short: Set<Int> = []
  private var streams: Set<Int> = []
  private var order = 0

  package init(limits: SiteLimits) {
    self.limits = limits
  }

  /// Decides on a new connection, which is idle.
  ///
  /// It costs O(n) while all places are taken.
  package mutating func enter() -> Entry {
    last += 1
    if open.count < limits.connections {
      add(last)
      return .open(last)
    }
    if let eldest = idle.min(by: { $0.value < $1.value })?.key {
      leave(eldest)
      add(last)
      return .instead(last, of: eldest)
    }
    guard short.count < limits.reserve else { return .full }
    short.insert(last)
    return .short(last)
  }

  private mutating func add(_ id: Int) {
    open.insert(id)
    rest(id)
  }

  /// Says that a connection waits for a request.
  package mutating func rest(_ id: Int) {
    guard open.contains(id) else { return }
    order += 1
    idle[id] = order
  }

  /// Says that a request has begun; false when the connection has had to make room.
  package mutating func work(_ id: Int) -> Bool {
    idle[id] = nil
    return open.contains(id) || short.contains(id)
  }

  /// Takes the place of a stream of events; false when there is none.
  package mutating func stream(_ id: Int) -> Bool {
    guard open.contains(id), streams.count < limits.streams else { return false }
    streams.insert(id)
    return true
  }

  /// Ends a connection.
  package mutating func leave(_ id: Int) {
    open.remove(id)
    idle[id] = nil
    short.remove(id)
    streams.remove(id)
  }
}
