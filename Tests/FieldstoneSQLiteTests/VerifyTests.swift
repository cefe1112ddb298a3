#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB
  import Testing

  @Suite("What is found in a damaged file", .timeLimit(.minutes(20)))
  struct VerifyTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A run in each state, a signal that was consumed and one that is awaited.
    private func fill() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.start(6)
      let runs = try await journal.claim(5)
      try await journal.checkpoint(runs[0].checkpoint(), at: .at(1))
      try await journal.checkpoint(runs[1].checkpoint(.completion(Data("1".utf8))), at: .at(1))
      try await journal.checkpoint(
        runs[2].checkpoint(.receiving(Data("1".utf8), signals: ["go"], until: nil)), at: .at(1))
      try await journal.park(
        Parking(claim: runs[3].claim, reason: .dead(error: "no")), at: .at(1))
      try await journal.change(runs[4].id, .cancel, at: .at(1))
      try await journal.signal(
        runs[2].id,
        SignalRecord(id: "1", name: "other", payload: Data("1".utf8), sentAt: Date()), at: .at(1))
      try await journal.close()
    }

    /// A key with a run that holds its place, one that is behind it, and one whose place is its own.
    private func fillLimits() async throws {
      let journal = try SQLiteJournal(path: folder.path)
      try await journal.setLimits(
        FlowLimits(runs: 9, counting: .wholeRun, perKey: .init(1)), of: "sample",
        replacing: true, at: .at(0))
      for (number, key) in ["a", "a", "b"].enumerated() {
        var start = RunStart.sample(number)
        start.flow = "sample"
        start.concurrencyKey = key
        start.attributes = ["number": .integer(number)]
        _ = try await journal.start(start, at: .at(0))
      }
      _ = try await journal.claim(
        ClaimRequest(
          worker: "worker", flows: [.init(flow: "sample", version: 9, limit: 9)],
          lease: .seconds(60)), at: .at(1))
      try await journal.close()
    }

    @Test(
      "Each broken rule of limits and attributes is told",
      arguments: [
        (nil, nil),
        (
          "DELETE FROM fieldstone_attribute WHERE value = 'i:2'; INSERT INTO fieldstone_attribute "
            + "VALUES ('number', 'i:2', 'nobody')", "an attribute has no run"
        ),
        (
          "UPDATE fieldstone_run SET flow_place = 0 WHERE concurrency = 'b'",
          "a worker has it, and it has no place of its limited flow"
        ),
        (
          "UPDATE fieldstone_run SET flow_place = 1 WHERE state = 0",
          "it has a place of its flow that no limit lets it keep"
        ),
        (
          "DROP TRIGGER fieldstone_run_moves; UPDATE fieldstone_run SET place = 0 WHERE state = 1 "
            + "AND concurrency = 'b'", "a worker has it, and it has no place of its limited key"
        ),
        (
          "DROP TRIGGER fieldstone_run_moves; UPDATE fieldstone_run SET state = 5, worker = NULL, "
            + "boot = NULL, lease_end = NULL WHERE concurrency = 'b'",
          "it has a place of its key that no limit lets it keep"
        ),
        (
          "DROP TRIGGER fieldstone_run_moves; UPDATE fieldstone_run SET gate = 1 "
            + "WHERE concurrency = 'b'", "it is behind its key, and can't come in"
        ),
        (
          "UPDATE fieldstone_run SET key_state = 3 WHERE concurrency = 'b'",
          "its concurrency key has it in another state"
        ),
        (
          "DELETE FROM fieldstone_freed; UPDATE fieldstone_limit SET key_maximum = 2",
          "it is behind its key, which has room, and nothing brings it in"
        ),
      ] as [(String?, String?)])
    func limits(sql: String?, detail: String?) async throws {
      try await fillLimits()
      #expect(try await findings(after: sql) == [detail].compactMap(\.self))
    }

    private func findings(after sql: String? = nil) async throws -> [String] {
      if let sql {
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
      }
      let journal = try SQLiteJournal.reader(path: folder.path)
      var details: [String] = []
      try await journal.verify { details.append($0.detail) }
      return details
    }

    @Test("A sound file has none, also when it is only read")
    func sound() async throws {
      try await fill()
      #expect(try await findings() == [])
    }

    @Test(
      "Each broken rule of the tables is told",
      arguments: [
        ("UPDATE fieldstone_step SET run = 99 WHERE run = 2", "a step has no run"),
        ("UPDATE fieldstone_signal SET run = 99", "a signal has no run"),
        (
          "INSERT INTO fieldstone_replacement VALUES ('x', 99)",
          "a start that has replaced another has no run"
        ),
        (
          "UPDATE fieldstone_signal SET consumed_by = 7",
          "a signal was consumed by a stage that it has not left"
        ),
        (
          "UPDATE fieldstone_signal SET name = 'go'",
          "the signal is there that it awaits, and it is not due"
        ),
        (
          "UPDATE fieldstone_run SET awaited = char(31) || 'go' || char(31) || awaited; "
            + "UPDATE fieldstone_signal SET name = 'go'",
          "the signal is there that it awaits, and it is not due"
        ),
        (
          "UPDATE fieldstone_run SET boot = NULL WHERE state = 1",
          "a lease is there without a worker, or a worker without a lease"
        ),
        (
          "UPDATE fieldstone_run SET quarantine = 1 WHERE state = 3",
          "it is in quarantine, and can't be claimed"
        ),
        (
          "UPDATE fieldstone_run SET sequence = 5 WHERE state = 2",
          "its steps end at 0, and it is at stage 5"
        ),
      ])
    func broken(sql: String, detail: String) async throws {
      try await fill()
      #expect(try await findings(after: sql) == [detail])
    }
  }
#endif
