#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import Foundation
  import GRDB

  /// Everything that a journal says.
  struct JournalState: Equatable, CustomStringConvertible {
    private var runs: [RunRecord] = []
    private var chains: [[StepRecord]] = []
    private var children: [[ChildRecord]] = []
    private var signals: [String] = []
    private var findings: [JournalFinding] = []

    /// Nothing at all.
    init() {}

    /// Reads a journal, and looks whether its file is sound.
    init(of journal: SQLiteJournal) async throws {
      runs = try await journal.runs(RunQuery(limit: 1_000)).runs
      for run in runs {
        chains.append(try await journal.chain(of: run.id))
        children.append(
          try await journal.children(of: run.id, at: nil, after: nil, limit: 1_000).children)
      }
      findings = try await journal.findings()
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

    /// Whether the journal keeps its rules, and each chain begins with its first link: nothing is purged
    /// here.
    var isUnbroken: Bool {
      findings.isEmpty && zip(runs, chains).allSatisfy { $0.sequence == $1.count }
        && zip(runs, children).allSatisfy { run, children in isWhole(run, children) }
    }

    /// Whether no child of a run is lost or doubled, and no end of one.
    private func isWhole(_ run: RunRecord, _ children: [ChildRecord]) -> Bool {
      let stages = Dictionary(grouping: children, by: \.place.sequence)
      let areWhole = stages.values.allSatisfy { stage in
        stage.map(\.place.ordinal) == Array(0..<stage.count)
      }
      guard areWhole, let join = run.join else { return areWhole }
      let awaited = stages[join.sequence] ?? []
      guard join.policy != nil else { return awaited.count { $0.end == nil } == join.open }
      return join.open > 0
        && awaited.count { $0.end == nil } == join.open
    }

    var description: String {
      runs.map { "\($0.id) \($0.state) \($0.sequence)" }.joined(separator: ", ")
        + "; \(signals.count) signals; \(findings)"
    }
  }

  extension SQLiteJournal {
    /// What breaks the rules of the journal: the audit after every crash.
    func findings() async throws -> [JournalFinding] {
      var findings: [JournalFinding] = []
      try await verify { findings.append($0) }
      return findings
    }
  }
#endif
