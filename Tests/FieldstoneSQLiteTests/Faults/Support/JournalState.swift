#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// Everything that a journal says.
  struct JournalState: Equatable, CustomStringConvertible {
    private var runs: [RunRecord] = []
    private var chains: [[StepRecord]] = []
    private var signals: [String] = []

    /// Nothing at all.
    init() {}

    /// Reads a journal, and looks whether its file is sound.
    init(of journal: SQLiteJournal) async throws {
      runs = try await journal.runs(RunQuery(limit: 1_000)).runs
      for run in runs { chains.append(try await journal.chain(of: run.id)) }
      let queue = try DatabaseQueue(path: journal.path)
      let (signals, soundness) = try await queue.read { database in
        let sql = "SELECT run || ' ' || quote(id) || quote(consumed_by) || quote(payload)"
        return (
          try String.fetchAll(database, sql: "\(sql) FROM fieldstone_signal ORDER BY position"),
          try String.fetchOne(database, sql: "PRAGMA integrity_check")
        )
      }
      try queue.close()
      guard soundness == "ok" else { throw JournalError.corrupt(soundness ?? "no answer") }
      self.signals = signals
    }

    /// Whether each run's chain is unbroken, each link by a holder no earlier than the one before.
    var isUnbroken: Bool {
      zip(runs, chains).allSatisfy { run, chain in
        chain.map(\.sequence) == Array(0..<run.sequence)
          && chain.map(\.fence) == chain.map(\.fence).sorted()
          && (chain.last?.fence ?? 0) <= run.fence
      }
    }

    var description: String {
      runs.map { "\($0.id) \($0.state) \($0.sequence)" }.joined(separator: ", ")
        + "; \(signals.count) signals"
    }
  }
#endif
