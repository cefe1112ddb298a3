import FieldstoneCore

/// The connections of a server, with the means to end them.
final class OpenConnections: Sendable {
  /// A place for one connection.
  struct Place: Sendable {
    let id: Int
    let isShort: Bool
    let deadline: ConnectionDeadline
    let connections: OpenConnections

    func rest() { connections.state.withLock { $0.table.rest(id) } }

    /// False if the connection was closed for another.
    func work() -> Bool { connections.state.withLock { $0.table.work(id) } }

    /// False if there is no place for a stream.
    func stream() -> Bool { connections.state.withLock { $0.table.stream(id) } }

    func leave() {
      connections.state.withLock { state in
        state.table.leave(id)
        state.deadlines[id] = nil
        state.departures += 1
      }
    }
  }

  private struct State {
    var table: ConnectionTable
    var deadlines: [Int: ConnectionDeadline] = [:]
    /// The number of connections that have ended since memory was last returned.
    var departures = 0
    /// The number of times memory is still to be returned: sites release theirs some time later.
    var rounds = 0
  }

  private let state: Locked<State>

  init(limits: SiteLimits) {
    state = Locked(State(table: ConnectionTable(limits: limits)))
  }

  /// A place for a new connection; nil if the server is full.
  func enter(until uptime: Duration) -> Place? {
    let deadline = ConnectionDeadline(uptime)
    let (place, ended) = state.withLock { state -> (Place?, ConnectionDeadline?) in
      var (id, isShort, eldest) = (0, false, Int?.none)
      switch state.table.enter() {
      case .open(let new): id = new
      case .instead(let new, let old): (id, eldest) = (new, old)
      case .short(let new): (id, isShort) = (new, true)
      case .full: return (nil, nil)
      }
      state.deadlines[id] = deadline
      let ended = eldest.flatMap { state.deadlines.removeValue(forKey: $0) }
      return (Place(id: id, isShort: isShort, deadline: deadline, connections: self), ended)
    }
    ended?.end()
    return place
  }

  /// Returns memory after many connections have ended; call it several times a minute.
  func tidy() {
    let isDue = state.withLock { state in
      if state.departures >= 100 { (state.departures, state.rounds) = (0, 8) }
      state.rounds -= state.rounds > 0 ? 1 : 0
      return state.rounds > 0
    }
    if isDue { FreeMemory.giveBack() }
  }
}
