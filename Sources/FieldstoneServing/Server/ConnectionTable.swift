/// The open connections, and the admission of new ones; a pure state machine.
///
/// An idle connection loses nothing when it is closed, so the one that has waited longest is closed
/// for a new one. While all are busy, a reserve serves one short request for each new client.
package struct ConnectionTable: Sendable {
  /// The admission of a new connection.
  package enum Entry: Sendable, Equatable {
    /// The connection is served.
    case open(Int)
    /// The connection is served in place of an idle one, which must be closed.
    case instead(Int, of: Int)
    /// The connection is served for one short request.
    case short(Int)
    /// The server is full.
    case full
  }

  private let limits: SiteLimits
  private var last = 0
  /// The connections outside the reserve.
  private var open: Set<Int> = []
  /// The idle ones among them, with the order in which they became idle.
  private var idle: [Int: Int] = [:]
  private var short: Set<Int> = []
  private var streams: Set<Int> = []
  private var order = 0

  package init(limits: SiteLimits) {
    self.limits = limits
  }

  /// Admits or refuses a new connection, which is idle.
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

  /// Notes that a connection waits for a request.
  package mutating func rest(_ id: Int) {
    guard open.contains(id) else { return }
    order += 1
    idle[id] = order
  }

  /// Notes that a request has begun; false if the connection was closed for another.
  package mutating func work(_ id: Int) -> Bool {
    idle[id] = nil
    return open.contains(id) || short.contains(id)
  }

  /// Reserves a place for an event stream; false if there is none.
  package mutating func stream(_ id: Int) -> Bool {
    guard open.contains(id), streams.count < limits.streams else { return false }
    streams.insert(id)
    return true
  }

  /// Removes a connection.
  package mutating func leave(_ id: Int) {
    open.remove(id)
    idle[id] = nil
    short.remove(id)
    streams.remove(id)
  }
}
