#if SQLite && PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  extension PostgresJournal {
    /// Starts runs for worker processes, of which every other has no writes of its own, so that its
    /// checkpoints share statements with others.
    func startLeaps(
      _ count: Int, stages: Int, using random: inout SeededGenerator
    ) async throws -> [RunID] {
      let now = JournalTime(.system, boot: "boot")
      let starts = (0..<count).map { number in
        RunStart(
          id: RunID(at: now.date, using: &random), flow: "leaps", version: 1,
          payload: Data("{\"left\":\(stages),\"isPlain\":\(number.isMultiple(of: 2))}".utf8))
      }
      return try await start(starts, at: now).map { try $0.get().id }
    }
  }

  /// Compares what worker processes were answered with what a journal's tables hold.
  ///
  /// Its statements share nothing with those of the journal.
  struct LeapAudit {
    private let journal: PostgresJournal
    private let runs: Int
    private let stages: Int

    /// - Parameters:
    ///   - runs: how many were started; all of them are completed.
    ///   - stages: how many each of them has.
    init(_ journal: PostgresJournal, runs: Int, stages: Int) {
      self.journal = journal
      self.runs = runs
      self.stages = stages
    }

    /// Looks for chains that are broken, missing or out of order, and for effects that are missing
    /// or doubled; and asks the journal to verify itself.
    func chains(_ words: Comment) async throws {
      var findings: [String] = []
      try await journal.verify { findings.append("\($0)") }
      #expect(findings == [], words)
      #expect(try await journal.auditedChains(stages: stages) == runs, words)
      // Half of the runs have an effect at each stage.
      let effects = try await journal.texts("SELECT key FROM effect")
      #expect(effects.count == runs / 2 * stages, words)
      #expect(Set(effects).count == effects.count, words)
    }

    /// Looks for each answered checkpoint: it is there, and not another one in its place.
    ///
    /// - Parameter lines: what the workers said.
    func answers(_ lines: [String], _ words: Comment) async throws {
      let kept = Set(try await journal.texts(Self.tokens))
      let answered = lines.map { $0.split(separator: " ").map(String.init) }
      #expect(answered.allSatisfy { $0.count == 3 && $0[0] == "finished" }, words)
      let lost = answered.filter { !kept.contains($0.last ?? "") }
      #expect(lost == [], words)
      #expect(kept.count == runs * stages, words)
    }

    /// The tokens of the attempts that have made the checkpoints.
    private static let tokens = """
      SELECT CASE jsonb_typeof(link) WHEN 'object' THEN link ->> 'token' ELSE link #>> '{}' END \
      FROM (SELECT convert_from(payload, 'UTF8')::jsonb AS link FROM step) AS steps \
      WHERE jsonb_typeof(link) = 'string' OR link ? 'token'
      """
  }
#endif
