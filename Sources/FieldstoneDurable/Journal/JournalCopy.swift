import FieldstoneCore
package import Foundation

/// A value in a row that is copied between journals.
package enum CopiedCell: Sendable, Hashable {
  case none
  case run(RunID)
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case date(Date)
  case bytes(Data)
}

/// A table of a journal, in the form of a copy.
package struct CopiedTable: Sendable, Hashable {
  /// The type of a column.
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

  /// The table; a switch covers each, so that no new one is forgotten.
  package enum Identity: String, Sendable, CaseIterable {
    case runs = "run"
    case steps = "step"
    case signals = "signal"
    case attributes = "attribute"
    case replacements = "replacement"
    case cancellations = "cancellation"
    case audit = "audit"
    case reports = "report"
    case logLines = "log"
  }

  package var identity: Identity
  package var columns: [Column]
  /// The name of its rows, for messages.
  package var words: String
  /// Whether its rows are unique, so that they can be counted.
  package var hasKey = true

  package var name: String { identity.rawValue }

  private init(_ identity: Identity, _ words: String, _ columns: [(Kind, [String])]) {
    self.identity = identity
    self.words = words
    self.columns = columns.flatMap { kind, names in names.map { Column(name: $0, kind: kind) } }
  }

  /// All columns except gates and places of limits, which the target derives from pauses and
  /// limits.
  ///
  /// The lease of a run that a worker holds has expired.
  package static let runs = CopiedTable(
    .runs, "runs",
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
      (.text, ["joined_error"]), (.run, ["origin"]),
      (.integer, ["origin_sequence", "fingerprint"]),
    ])
  /// A row holds the stage of that number, and how the run left the stage before it.
  package static let steps = CopiedTable(
    .steps, "stages",
    [
      (.run, ["run"]), (.integer, ["sequence", "version", "kind", "fence", "attempts"]),
      (.date, ["began_at", "ended_at"]), (.text, ["worker", "error"]), (.bytes, ["payload"]),
    ])
  /// In the order of sending.
  package static let signals = CopiedTable(
    .signals, "signals",
    [
      (.run, ["run"]), (.text, ["id", "name"]), (.date, ["sent_at"]), (.integer, ["consumed_by"]),
      (.bytes, ["payload"]),
    ])
  package static let attributes = CopiedTable(
    .attributes, "attributes", [(.text, ["name", "value"]), (.run, ["id"])])
  package static let replacements = CopiedTable(
    .replacements, "replaced starts", [(.run, ["id", "run"])])
  package static let cancellations: CopiedTable = {
    var table = CopiedTable(
      .cancellations, "cancellations", [(.run, ["parent"]), (.integer, ["sequence", "ordinal"])])
    table.hasKey = false
    return table
  }()
  package static let reports = CopiedTable(
    .reports, "reports",
    [
      (.run, ["run"]), (.integer, ["fence", "sequence", "billionths"]), (.text, ["text"]),
      (.date, ["reported_at"]),
    ])
  package static let logLines = CopiedTable(
    .logLines, "log lines",
    [
      (.run, ["run"]), (.integer, ["fence", "number", "sequence"]), (.date, ["logged_at"]),
      (.text, ["text"]), (.boolean, ["of_runner"]),
    ])

  /// In the order of the changes.
  package static let audit = CopiedTable(
    .audit, "audit rows",
    [
      (.integer, ["number", "kind"]), (.date, ["changed_at"]),
      (.bytes, ["old_value", "new_value"]), (.text, ["action", "flow", "name", "actor"]),
    ])

  /// Runs come first, and the other rows of a run after it.
  package static let all = Identity.allCases.map { identity in
    switch identity {
    case .runs: runs
    case .steps: steps
    case .signals: signals
    case .attributes: attributes
    case .replacements: replacements
    case .cancellations: cancellations
    case .audit: audit
    case .reports: reports
    case .logLines: logLines
    }
  }
}

/// A journal that can be copied to another journal.
package protocol CopySource: Journal {
  /// Refuses all further writes, of any process and any version, with ``JournalError/sealed``.
  ///
  /// Sealing a sealed journal changes nothing.
  func seal() async throws

  /// A page of a table's rows in key order, some hundred rows and some megabytes at most.
  ///
  /// - Parameter mark: the end of the previous page; nil for the first.
  /// - Returns: the rows, and their end; no rows after the last.
  func rows(
    of table: CopiedTable, after mark: [CopiedCell]?
  ) async throws -> (rows: [[CopiedCell]], mark: [CopiedCell])
}

/// A journal that can be the target of a copy.
package protocol CopyTarget: Journal {
  /// The most bytes that the texts of one entry of an index may have together.
  static var mostIndexedBytes: Int { get }
  /// Refuses all writes except the copy's, or continues an interrupted copy.
  ///
  /// - Throws: ``CopyError/targetHasRuns``.
  func beginCopy() async throws
  /// Writes the rows that do not exist yet, in one transaction.
  func insert(_ rows: [[CopiedCell]], into table: CopiedTable) async throws
  /// The number of rows of a table.
  func count(of table: CopiedTable) async throws -> Int
  /// Ends the copy and accepts writes again, in one transaction.
  ///
  /// It gives back the runs that workers held, and stores limits, pauses and schedules.
  ///
  /// - Parameter slots: the slots that it owns from now on; nil if the source has no record.
  func endCopy(
    limits: [String: FlowLimits], pauses: [JournalPause], schedules: [ScheduleRecord],
    owning slots: JournalSlots?
  ) async throws
}

/// The reasons that a journal is not copied.
package enum CopyError: DescribedError, Hashable {
  case targetHasRuns
  case noSource
  case noTarget
  case countsDiffer(String, source: Int, target: Int)
  /// A name or a key does not fit into an index of the target.
  case tooLong(String, bytes: Int, limit: Int)

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
    case .tooLong(let words, let bytes, let limit):
      "The target can't index \(words): \(bytes) bytes, above \(limit). Nothing was changed; use shorter "
        + "names and keys, such as digests, and copy once runs with longer ones are over and purged."
    }
  }
}

/// The copy of a journal.
package enum JournalCopy {
  /// The progress of a copy.
  package struct Progress: Sendable, Hashable {
    package var table: CopiedTable
    package var rows: Int
    package var isDone: Bool
  }

  /// Seals a journal, and copies its data to another one.
  ///
  /// Nothing else can write to either journal until the copy is complete; then the target accepts
  /// everything. After an interruption, call it again: existing rows are skipped. A stage in
  /// progress at the seal runs again at the target.
  ///
  /// - Parameter report: called after each page; an error that it throws ends the copy there.
  /// - Throws: ``UnfinishedTransfer`` for an error after the seal; ``CopyError``, ``JournalError``.
  /// - Complexity: O(n) in the number of rows; the memory of one page.
  package static func copy(
    from source: any CopySource, to target: any CopyTarget,
    report: (Progress) throws -> Void = { _ in }
  ) async throws {
    // Before the seal, which can't be removed. A journal that can be a target has the same indexes.
    if !(source is any CopyTarget) {
      try await check(source, for: type(of: target).mostIndexedBytes)
    }
    try await target.beginCopy()
    try await UnfinishedTransfer.marking {
      try await source.seal()
      try await copyRows(from: source, to: target) { progress in
        try UnfinishedTransfer.PassedOn.marking { try report(progress) }
      }
    }
  }

  private static func copyRows(
    from source: any CopySource, to target: any CopyTarget, report: (Progress) throws -> Void
  ) async throws {
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
      limits: source.flowLimits(), pauses: source.pauses(), schedules: source.schedules(),
      owning: source.slots())
  }

  /// Throws for names and keys that an index of the target can't take.
  private static func check(_ source: any CopySource, for limit: Int) async throws {
    func check(_ texts: [String?], _ words: @autoclosure () -> String) throws {
      let bytes = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      if bytes > limit { throw CopyError.tooLong(words(), bytes: bytes, limit: limit) }
    }
    for table in CopiedTable.all where !table.indexedTexts.isEmpty {
      var mark: [CopiedCell]?
      while true {
        let page = try await source.rows(of: table, after: mark)
        guard !page.rows.isEmpty else { break }
        for row in page.rows {
          for names in table.indexedTexts {
            let texts = names.map { (name) -> String? in
              if case .text(let text) = row[table.place(of: name)] { text } else { nil }
            }
            try check(texts, table.words(names, of: row))
          }
        }
        mark = page.mark
      }
    }
    for flow in try await source.flowLimits().keys { try check([flow], "the name of a flow") }
    for name in try await source.schedules().map(\.name) {
      try check([name], "the name of a schedule")
    }
    for pause in try await source.pauses() {
      switch pause.target {
      case .concurrencyKey(let key, let flow): try check([flow, key], "the key of a pause")
      case .flow(let flow): try check([flow], "the name of a flow")
      case .run: break
      }
    }
  }
}

extension CopiedTable {
  /// The index of a column; the first for an unknown column.
  package func place(of name: String) -> Int {
    columns.firstIndex { $0.name == name } ?? 0
  }

  /// The columns with texts of each index.
  fileprivate var indexedTexts: [[String]] {
    switch identity {
    case .runs: [["flow", "key"], ["flow", "concurrency"], ["flow", "awaited"]]
    case .signals: [["id"], ["name"]]
    case .attributes: [["name", "value"]]
    case .audit: [["flow", "name"]]
    case .steps, .replacements, .cancellations, .reports, .logLines: []
    }
  }

  /// Names columns of a row in a message: `the flow and key of run …`.
  fileprivate func words(_ columns: [String], of row: [CopiedCell]) -> String {
    let columns = "the " + columns.joined(separator: " and ")
    let place = self == .runs ? columns : "\(columns) of \(words)"
    for case .run(let id) in row { return "\(place) of run \(id)" }
    return place
  }
}

extension ClaimRequest {
  /// The protocol version that a sealed journal requires; no worker has it.
  package static var sealedProtocolVersion: Int { 1_000_000 }
  /// The protocol version that the target of a copy requires.
  package static var copyingProtocolVersion: Int { 1_000_001 }
  /// The protocol version that a journal requires while it moves slots.
  package static var movingProtocolVersion: Int { 1_000_002 }
}
