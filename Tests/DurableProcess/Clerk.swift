#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation

  /// Works on a journal by hand, without a runner.
  struct Clerk {
    private let journal: SQLiteJournal
    private let lease: Duration
    private let options = DurableRunnerOptions()

    init(_ journal: SQLiteJournal, lease: Duration) {
      self.journal = journal
      self.lease = lease
    }

    private var now: JournalTime { JournalTime(.system, boot: options.boot) }

    /// Claims a run and keeps it until its input ends.
    func claim() async throws {
      _ = try await claimOne()
      while readLine() != nil {}
    }

    /// Claims a run, and makes its checkpoint when it is told to.
    func stall() async throws {
      guard let record = try await claimOne() else { return }
      _ = readLine()
      do {
        try await checkpoint(record, sequence: record.sequence)
        say("done")
      } catch JournalError.claimLost {
        say("refused")
      }
    }

    /// Goes on from stage to stage with one run for ever, and tells of each checkpoint that returned.
    func write() async throws {
      guard let record = try await claimOne() else { return }
      var sequence = record.sequence
      while true {
        try await checkpoint(record, sequence: sequence)
        sequence += 1
        say("\(sequence)")
      }
    }

    private func checkpoint(_ record: RunRecord, sequence: Int) async throws {
      let claim = RunClaim(id: record.id, sequence: sequence, fence: record.fence)
      let payload = Data("{\"number\":\(sequence + 1)}".utf8)
      try await journal.checkpoint(
        Checkpoint(
          claim: claim, version: 1, next: .stage(payload), beganAt: now.date, lease: lease),
        at: now)
    }

    private func claimOne() async throws -> RunRecord? {
      let request = ClaimRequest(
        worker: options.worker, flows: [.init(flow: "samples", version: 1, limit: 1)], lease: lease)
      let record = try await journal.claim(request, at: now).runs.first?.record
      say(record.map { "\($0.id) \($0.sequence)" } ?? "none")
      return record
    }
  }
#endif
