import FieldstoneCore
import FieldstoneLoading

/// A value that tells where it comes from: the higher the origin, the newer.
struct Traced: Sendable, Equatable {
  var origin: Int
  var changes: [Int] = []
}

/// What an integrator promises, written as plainly as possible: arrays, no tasks, no cleverness.
struct ModelIntegrator {
  enum Policy: CaseIterable {
    case concurrent, reject, join, queue, latest, debounced
  }

  struct Call {
    var flight: Int?
    var end: String?
    /// How often it may try again by itself once a shared load has failed.
    var ownRetries = 0
  }

  struct Flight {
    var parameter: Int
    var calls: [Int]
    /// The load that waits for its answer; nil before the work has begun.
    var load: Int?
    var origin = 0
    var retries: Int
    var deadline: Int?
    var isOver = false
    /// Whether others may join.
    var isShared = false
  }

  struct Change {
    var id: Int
    var confirmation: Int?
  }

  static let queueLimit = 2
  static let debounce = 2

  let policy: Policy
  private(set) var calls: [Call] = []
  private(set) var flights: [Flight] = []
  private(set) var loadCount = 0
  private(set) var now = 0

  private var clock = 0
  private var base: Traced?
  private var baseRevision = 0
  private var changes: [Change] = []
  private var error: (number: Int, revision: Int)?
  private var lastSuccess = 0

  init(_ policy: Policy) {
    self.policy = policy
  }

  var open: [Int] { calls.indices.filter { calls[$0].end == nil } }
  var pendingChanges: [Int] { changes.filter { $0.confirmation == nil }.map(\.id) }

  var shown: Traced? {
    base.map { Traced(origin: $0.origin, changes: $0.changes + changes.map(\.id)) }
  }

  var phase: String {
    let value = shown.map { "\($0)" } ?? "nothing"
    if !open.isEmpty { return "loading \(value)" }
    if let error { return "failed \(error.number) \(value)" }
    return shown == nil ? "idle" : "loaded \(value)"
  }

  private var active: Int? {
    flights.indices.last { !flights[$0].isOver && flights[$0].load != nil }
  }

  // MARK: Calls

  mutating func start(_ parameter: Int, retries: Int) {
    let alive = flights.indices.filter { !flights[$0].isOver }
    if policy == .reject, !alive.isEmpty { return refuse() }
    if policy == .join {
      let shared = alive.first { flights[$0].isShared && flights[$0].parameter == parameter }
      calls.append(Call(flight: shared ?? flights.count, ownRetries: retries))
      if let shared { return flights[shared].calls.append(calls.count - 1) }
      flights.append(
        Flight(parameter: parameter, calls: [calls.count - 1], retries: 0, isShared: true))
      return begin(flights.count - 1)
    }
    if policy == .queue, alive.count > Self.queueLimit { return refuse() }
    if policy == .latest || policy == .debounced {
      for flight in alive { stop(flight, "cancelled superseded") }
    }
    calls.append(Call(flight: flights.count))
    flights.append(Flight(parameter: parameter, calls: [calls.count - 1], retries: retries))
    switch policy {
    case .queue where !alive.isEmpty: break
    case .debounced: flights[flights.count - 1].deadline = now + Self.debounce
    default: begin(flights.count - 1)
    }
  }

  private mutating func refuse() {
    calls.append(Call(flight: nil, end: "cancelled busy"))
  }

  private mutating func begin(_ flight: Int) {
    clock += 1
    flights[flight].origin = clock
    flights[flight].deadline = nil
    attempt(flight)
  }

  private mutating func attempt(_ flight: Int) {
    flights[flight].load = loadCount
    loadCount += 1
  }

  mutating func cancel(_ call: Int) {
    guard calls[call].end == nil, let flight = calls[call].flight else { return }
    calls[call].end = "cancelled caller"
    flights[flight].calls.removeAll { $0 == call }
    if flights[flight].calls.isEmpty { stop(flight, "") }
  }

  mutating func stopAll(_ end: String) {
    for flight in flights.indices.reversed() where !flights[flight].isOver { stop(flight, end) }
  }

  private mutating func stop(_ flight: Int, _ end: String) {
    for call in flights[flight].calls { calls[call].end = end }
    flights[flight].isOver = true
    guard policy == .queue else { return }
    let alive = flights.indices.filter { !flights[$0].isOver }
    if let next = alive.first, !alive.contains(where: { flights[$0].load != nil }) { begin(next) }
  }

  mutating func advance() {
    now += 1
    for flight in flights.indices where !flights[flight].isOver {
      if let deadline = flights[flight].deadline, deadline <= now { begin(flight) }
    }
  }

  // MARK: Answers

  func flight(of load: Int) -> Int? {
    flights.indices.first { flights[$0].load == load && !flights[$0].isOver }
  }

  /// The origin of what a load gives; loads that nobody waits for give something ancient.
  func origin(of load: Int) -> Int {
    flight(of: load).map { flights[$0].origin } ?? -1
  }

  mutating func early(_ load: Int) {
    guard let flight = flight(of: load) else { return }
    take(flights[flight].origin)
  }

  mutating func succeed(_ load: Int) {
    guard let flight = flight(of: load) else { return }
    let origin = flights[flight].origin
    lastSuccess = max(lastSuccess, origin)
    if let error, error.revision <= origin { self.error = nil }
    take(origin)
    stop(flight, "success")
  }

  mutating func fail(_ load: Int, _ number: Int) {
    guard let flight = flight(of: load) else { return }
    if flights[flight].retries > 0 {
      flights[flight].retries -= 1
      return attempt(flight)
    }
    let origin = flights[flight].origin
    let goingOn =
      flights[flight].isShared
      ? flights[flight].calls.filter { calls[$0].ownRetries > 0 } : []
    flights[flight].calls.removeAll { goingOn.contains($0) }
    let isHeard = !flights[flight].calls.isEmpty
    if isHeard, origin > lastSuccess, origin >= error?.revision ?? 0 { error = (number, origin) }
    stop(flight, "failure \(number)")
    for call in goingOn {
      calls[call].flight = flights.count
      flights.append(
        Flight(
          parameter: flights[flight].parameter, calls: [call], origin: origin,
          retries: calls[call].ownRetries - 1))
      attempt(flights.count - 1)
    }
  }

  /// Whether a call with a parameter that is under way may go on by itself.
  func mayGoOn(_ parameter: Int) -> Bool {
    flights.contains { flight in
      !flight.isOver && flight.isShared && flight.parameter == parameter
        && flight.calls.contains { calls[$0].ownRetries > 0 }
    }
  }

  private mutating func take(_ origin: Int) {
    guard origin >= baseRevision else { return }
    base = Traced(origin: origin)
    baseRevision = origin
    changes.removeAll { $0.confirmation.map { $0 < origin } ?? false }
    fold()
  }

  // MARK: Local changes

  mutating func receive() -> Traced {
    clock += 1
    let value = Traced(origin: clock)
    take(clock)
    return value
  }

  mutating func update(_ id: Int) {
    guard base != nil else { return }
    clock += 1
    baseRevision = clock
    changes.append(Change(id: id))
  }

  mutating func rollBack(_ id: Int) {
    changes.removeAll { $0.id == id }
    fold()
  }

  mutating func confirm(_ id: Int) {
    guard let index = changes.firstIndex(where: { $0.id == id }) else { return }
    clock += 1
    baseRevision = clock
    changes[index].confirmation = clock
    fold()
  }

  private mutating func fold() {
    while let first = changes.first, first.confirmation != nil {
      base?.changes.append(first.id)
      changes.removeFirst()
    }
  }
}
