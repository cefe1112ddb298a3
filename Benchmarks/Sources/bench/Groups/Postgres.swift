#if POSTGRES
  import Foundation
  import Harness

  /// The journal in PostgreSQL, with full durability, beside the server on the same machine: what a
  /// checkpoint costs, measured against pgbench with the same statement for one run at a time.
  let postgres = Area("postgres") {
    checkpoints(1, goal: 1.25)
    checkpoints(64, goal: 0.33)
    checkpoints(256, goal: 0.25)
    claims
    serverTime
    severalServers
    mixture
    pooler
    growth
  }

  private let servers = (0..<4).map { _ in PostgresBench() }
  private let server = servers[0]

  /// Checkpoints of so many runs at the same time; the floor has as many clients, up to 64.
  private func checkpoints(_ count: Int, goal: Double) -> Group {
    let total = count == 1 ? 512 : 8_192
    let floor = "pgbench, \(min(count, 64)) clients"
    return Group("pg-checkpoint-\(count)", floor: floor) {
      Case(
        floor, operations: total, runs: 1,
        taking: { _ in
          try await server.pgbench(.checkpoint, clients: min(count, 64), transactions: total)
        })
      Case(
        "fieldstone PostgresJournal", operations: total, runs: 1, goals: [.atMost(goal)],
        setup: { try await server.runs(count) },
        { runs in try await runs.checkpoint(total / count) })
    }
  }

  /// Claims of sixteen runs among a million.
  private let claims = Group("pg-claim-1000000", floor: "pgbench, 16 rows by their keys") {
    Case(
      "pgbench, 16 rows by their keys", operations: 200, runs: 1,
      taking: { _ in try await server.pgbench(.read, clients: 1, transactions: 200) })
    Case(
      "fieldstone, of 1,000,000 ready runs", runs: 20, goals: [.atMost(3)],
      taking: { try await server.claim(times: $0) })
  }

  /// The server's CPU time of a checkpoint, with 64 runs at the same time.
  private let serverTime = Group("pg-checkpoint-64-cpu", floor: "fieldstone PostgresJournal") {
    Case(
      "fieldstone PostgresJournal", operations: 8_192, runs: 1, goals: [.atMostAbsolute(40_000)],
      taking: { _ in try await server.serverTime(ofCheckpoints: 8_192, runs: 64) })
  }

  /// Checkpoints of 256 runs that are spread over servers, which share the cores of this machine.
  private let severalServers = Group("pg-servers-256", floor: "one server") {
    Case(
      "one server", operations: 16_384, runs: 1, setup: { try await server.runs(256) },
      { runs in try await runs.checkpoint(64) })
    for count in [2, 4] {
      Case(
        "fieldstone ShardedJournal over \(count)", operations: 16_384, runs: 1,
        setup: { try await PostgresBench.runs(256, on: servers.prefix(count)) },
        { runs in try await runs.checkpoint(64) })
    }
  }

  /// Checkpoints of 64 runs at the same time, an eighth of which wait, await or consume a signal, end
  /// the run, or write something of the app's.
  private let mixture = Group("pg-mixed-64", floor: "to the next stage only") {
    for isMixed in [false, true] {
      Case(
        isMixed ? "fieldstone, waits, signals, ends and own writes too" : "to the next stage only",
        operations: 1_024 * PostgresMixture.checkpoints, runs: 1,
        setup: { try await server.mixture(1_024, isMixed: isMixed) },
        { runs in try await runs.checkpoint() })
    }
  }

  /// Checkpoints of 64 runs at the same time, through PgBouncer.
  private let pooler = Group("pg-pooled-64", floor: "without a pooler") {
    for isPooled in [false, true] {
      Case(
        isPooled ? "fieldstone, PgBouncer in transaction mode" : "without a pooler",
        operations: 8_192, runs: 1, setup: { try await server.runs(64, isPooled: isPooled) },
        { runs in try await runs.checkpoint(128) })
    }
  }

  /// The table of runs while 1,024 of them make very many checkpoints, which are made once.
  ///
  /// `FIELDSTONE_CHECKPOINTS=10000000` makes as many. Less than 99 % of updates in place are an error.
  private let growth = Group("pg-growth", floor: "after half of them", unit: .bytes) {
    let count =
      ProcessInfo.processInfo.environment["FIELDSTONE_CHECKPOINTS"].flatMap { Int($0) } ?? 400_000
    Case(
      "after half of them", runs: 1,
      taking: { _ in try await server.tableOfRuns(after: count, half: true) })
    Case(
      "fieldstone, after \(count) checkpoints", runs: 1, goals: [.atMost(1.5)],
      taking: { _ in try await server.tableOfRuns(after: count, half: false) })
  }
#endif
