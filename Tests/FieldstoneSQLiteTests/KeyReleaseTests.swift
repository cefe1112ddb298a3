#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("A place of a concurrency key that is released", .timeLimit(.minutes(20)))
  struct KeyReleaseTests {
    /// The ways in which a worker gives a run back.
    enum Release: CaseIterable {
      case completion, wait, retry, shutdown, dead
    }

    let folder: Folder
    private let time = JournalTime(
      date: Date(timeIntervalSinceReferenceDate: 800_000_000), uptime: .seconds(100), boot: "boot")
    private let later = JournalTime(
      date: Date(timeIntervalSinceReferenceDate: 800_000_010), uptime: .seconds(110), boot: "boot")
    private let request = ClaimRequest(
      worker: "one", flows: [.init(flow: "orders", version: 1, limit: 2)], lease: .seconds(30))

    init() throws { folder = try Folder() }

    @Test(
      "The next run of its key is among the ready ones before any claim",
      arguments: Release.allCases)
    func next(_ release: Release) async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.setLimits(
        FlowLimits(perKey: .init(1, counting: .executing)), of: "orders", replacing: true, at: time)
      let ids = (0..<3).map { RunID(at: time.date + Double($0)) }
      for id in ids {
        let start = RunStart(
          id: id, flow: "orders", version: 1, payload: Data("{}".utf8), concurrencyKey: "ada")
        _ = try await journal.start(start, at: time)
      }
      let claimed = try await journal.claim(request, at: time).runs.map(\.record)
      #expect(claimed.map(\.id) == [ids[0]])
      #expect(try await readyRuns() == [])

      let claim = RunClaim(
        id: claimed[0].id, sequence: claimed[0].sequence, fence: claimed[0].fence)
      try await perform(release, of: claim, in: journal)
      #expect(try await readyRuns() == [ids[1]])
      #expect(try await journal.claim(request, at: later).runs.map(\.record.id) == [ids[1]])
      try await journal.close()
    }

    private func perform(
      _ release: Release, of claim: RunClaim, in journal: SQLiteJournal
    ) async throws {
      func checkpoint(_ next: Checkpoint.Next) async throws {
        try await journal.checkpoint(
          Checkpoint(
            claim: claim, version: 1, next: next, beganAt: time.date, lease: .seconds(30)),
          at: later)
      }
      let nextHour = later.date + 3_600
      switch release {
      case .completion: try await checkpoint(.completion(Data("1".utf8)))
      case .wait: try await checkpoint(.waiting(Data("{}".utf8), until: nextHour))
      case .retry:
        try await journal.park(
          Parking(claim: claim, reason: .retry(at: nextHour, error: "no")), at: later)
      case .shutdown: try await journal.park(Parking(claim: claim, reason: .shutdown), at: later)
      case .dead:
        try await journal.park(Parking(claim: claim, reason: .dead(error: "no")), at: later)
      }
    }

    /// The runs that a claim finds in its index.
    private func readyRuns() async throws -> [RunID] {
      let queue = try DatabaseQueue(path: folder.path)
      defer { try? queue.close() }
      let sql = "SELECT id FROM fieldstone_run WHERE state = 0 AND gate = 0 AND waits = 0"
      return try await queue.read { try String.fetchAll($0, sql: sql).compactMap { RunID($0) } }
    }
  }
#endif
