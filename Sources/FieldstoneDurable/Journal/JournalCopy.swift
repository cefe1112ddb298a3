import FieldstoneCore
package import Foundation

/// A value in a row that is copied from one journal to another.
package enum CopiedCell: Sendable, Hashable {
  case none
  case run(RunID)
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case date(Date)
  case bytes(Data)
}

/// A table of a journal, as a copy has its rows.
package struct CopiedTable: Sendable, Hashable {
  /// What a column holds.
  package enum Kind: Sendable, Hashable {
    case run
    case text
    case integer
    case boolean
    case date
    case bytes
  }

  /// A column.
  package struct Column: Sendable, Hashable {
    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) {
      self.name = name
      self.kind = kind
    }
  }

  package var name: String
  package var columns: [Column]
  /// What is said of its rows.
  package var words: String
  /// Whether no two of its rows are the same, so that they can be counted.
  package var hasKey = true

  private init(_ name: String, _ words: String, _ columns: [(Kind, [String])]) {
    self.name = name
    self.words = words
    self.columns = columns.flatMap { kind, names in names.map { Column(name: $0, kind: kind) } }
  }

  /// All columns but gates and places of limits, which the target makes anew from pauses and limits.
  ///
  /// Where a worker has a run, its lease has ended.
  package static let runs = CopiedTable(
    "run", "runs",
    [
      (.run, ["id"]), (.text, ["flow"]), (.integer, ["version"]), (.text, ["key"]),
      (.integer, ["priority"]), (.text, ["concurrency"]),
      (
        .integer,
        [
          "state", "sequence", "fence", "attempts", "crashes", "lone_crashes", "quarantine",
          "waits",
        ]
      ),
      (.boolean, ["is_alone"]),
      (
        .date,
        [
          "started_at", "changed_at", "due_at", "wakes_at", "paused_at", "over_at", "deadline",
          "lease_end", "check_at",
        ]
      ),
      (.text, ["attributes", "trace", "awaited", "worker", "error"]), (.run, ["parent"]),
      (.integer, ["parent_sequence", "ordinal", "depth"]), (.boolean, ["is_detached"]),
      (.integer, ["joined", "join_sequence", "join_policy", "open_children"]),
      (.text, ["joined_error"]),
    ])
  /// A row holds the stage of that number, and how the one before it was left.
  package static let steps = CopiedTable(
    "step", "stages",
    [
      (.run, ["run"]), (.integer, ["sequence", "version", "kind", "fence", "attempts"]),
      (.date, ["began_at", "ended_at"]), (.text, ["worker", "error"]), (.bytes, ["payload"]),
    ])
  /// In the order in which they were sent.
  package static let signals = CopiedTable(
    "signal", "signals",
    [
      (.run, ["run"]), (.text, ["id", "name"]), (.date, ["sent_at"]), (.integer, ["consumed_by"]),
      (.bytes, ["payload"]),
    ])
  package static let attributes = CopiedTable(
    "attribute", "attributes", [(.text, ["name", "value"]), (.run, ["id"])])
  package static let replacements = CopiedTable(
    "replacement", "replaced starts", [(.run, ["id", "run"])])
  package static let cancellations: CopiedTable = {
    var table = CopiedTable(
      "cancellation", "cancellations", [(.run, ["parent"]), (.integer, ["sequence", "ordinal"])])
    table.hasKey = false
    return table
  }()

  package static let all = [runs, steps, signals, attributes, replacements, cancellations]
}

/// A journal that can be copied to another one.
package protocol CopySource: Journal {
  /// Refuses every write from now on, of any process and any version, by ``JournalError/sealed``.
  ///
  /// Sealed once more, it stays as it is.
  func seal() async throws

  /// Rows of a table in the order of some key, some hundred and some megabytes at most.
  ///
  /// - Parameter mark: where the page before ended; nil for the first.
  /// - Returns: the rows, and where they end; no rows after the last.
  func rows(
    of table: CopiedTable, after mark: [CopiedCell]?
  ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell])
}

/// A journal that others can be copied to.
package protocol CopyTarget: Journal {
  /// Keeps everything but the copy out, or goes on with a copy that was interrupted.
  ///
  /// - Throws: ``CopyError/targetHasRuns``.
  func beginCopy() async throws
  /// Writes the rows that are not there yet, in one transaction.
  func insert(_ rows: [[CopiedCell]], into table: CopiedTable) async throws
  /// How many rows a table has.
  func count(of table: CopiedTable) async throws -> Int
  /// Gives runs back that workers had, keeps limits, pauses and schedules, and lets everybody in; all at
  /// once.
  func endCopy(
    limits: [String: FlowLimits], pauses: [JournalPause], schedules: [ScheduleRecord]
  ) async throws
}

/// Why a journal is not copied.
package enum CopyError: DescribedError, Hashable {
  case targetHasRuns
  case noSource
  case noTarget
  case countsDiffer(String, source: Int, target: Int)

  package var message: String {
    switch self {
    case .targetHasRuns:
      "The target has runs already, or its copy is done; copy into a journal without runs."
    case .noSource: "A journal of this kind can't be copied; copy one in SQLite or PostgreSQL."
    case .noTarget:
      "No journal can be copied to this place; give the URL of a PostgreSQL server, postgresql://…"
    case .countsDiffer(let words, let source, let target):
      "The source has \(source) \(words), and the target \(target): it holds more than this source; "
        + "copy into another schema."
    }
  }
}

/// The copy of a journal.
package enum JournalCopy {
  /// How far it has come.
  package struct Progress: Sendable, Hashable {
    package var table: CopiedTable
    package var rows: Int
    package var isDone: Bool
  }

  /// Seals a journal, and copies what is in it to another one.
  ///
  /// Nothing else can write to either until all is there; then the target takes everything. After an
  /// interruption it is done again: rows that are there are passed over. A stage that was under way at
  /// the seal is done again at the target.
  ///
  /// - Parameter report: hears of each page.
  /// - Complexity: O(n) in the number of rows; the memory is that of a page.
  package static func copy(
    from source: any CopySource, to target: any CopyTarget,
    report: (Progress) throws -> Void = { _ in }
  ) async throws {
    try await target.beginCopy()
    try await source.seal()
    for table in CopiedTable.all {
      var count = 0
      var mark: [CopiedCell]?
      while true {
        let page = try await source.rows(of: table, after: mark)
        guard !page.rows.isEmpty else { break }
        try await target.insert(page.rows, into: table)
        count += page.rows.count
        mark = page.mark
        try report(Progress(table: table, rows: count, isDone: false))
      }
      let there = try await target.count(of: table)
      guard there == count || !table.hasKey else {
        throw CopyError.countsDiffer(table.words, source: count, target: there)
      }
      try report(Progress(table: table, rows: count, isDone: true))
    }
    try await target.endCopy(
      limits: source.flowLimits(), pauses: source.pauses(), schedules: source.schedules())
  }
}

extension ClaimRequest {
  /// What a sealed journal demands of its workers: a version that none has.
  package static var sealedProtocolVersion: Int { 1_000_000 }
  /// What a journal demands that is being copied to.
  package static var copyingProtocolVersion: Int { 1_000_001 }
}
