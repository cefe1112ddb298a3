// Not under a sanitizer: the kills of workers are, which take the same ways through the code.
#if SQLite && PostgreSQL && (os(macOS) || os(Linux)) && !TSAN && !ASAN
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstonePostgres
  import FieldstoneTesting
  import Foundation
  import Testing

  /// Only by `Scripts/crash --cluster`: it takes a quarter of an hour and network namespaces.
  @Suite(
    "A cluster under Patroni", .enabled(if: PatroniCluster.isWanted), .timeLimit(.minutes(60)))
  struct PostgresClusterTests {
    private static let seed: UInt64 = 0xC1_05_7E_12
    private static let stages = 20
    private static let batch = 60

    /// A line of a worker, and when it came.
    private struct Answer: Sendable {
      let line: String
      let instant: ContinuousClock.Instant
    }

    @Test("Nodes are killed and cut off under load: what was answered is kept, no chain is broken")
    func attackedNodes() async throws {
      var attacks: [PatroniCluster.Attack] = []
      for round in 0..<(PatroniCluster.rounds ?? 1) {
        attacks += [.killNode, .killServer, .killServer]
        attacks.append(round.isMultiple(of: 2) ? .isolatePrimary : .isolateStandby)
      }
      var random = SeededGenerator(seed: Self.seed)
      attacks.shuffle(using: &random)
      let cluster = try await PatroniCluster()
      let journal = try await PostgresJournal(cluster.text())
      _ = try await journal.texts("CREATE TABLE effect (key text)")
      let answers = Recorder<Answer>()
      let workers = try (0..<8).map { _ in
        try WorkerProcess(cluster.text(as: "worker"), schema: journal.options.schema) {
          answers.record(Answer(line: $0, instant: .now))
        }
      }
      var runs = 0
      var longest: [String: Duration] = [:]
      for (number, attack) in attacks.enumerated() {
        let told = answers.count
        runs += try await journal.startLeaps(Self.batch, stages: Self.stages, using: &random).count
        // A third of the work is done before the attack, and most of the rest after it.
        _ = await answers.elements(atLeast: told + Self.batch * Self.stages / 3)
        let attackedAt = ContinuousClock.now
        try await cluster.perform(attack)
        _ = await answers.elements(atLeast: told + Self.batch * Self.stages * 2 / 3)
        try await cluster.heal()
        try await wait(for: journal)
        let words: Comment = "seed \(Self.seed), attack \(number), \(attack.rawValue)"
        try await LeapAudit(journal, runs: runs, stages: Self.stages).chains(words)
        let gap = Self.longestGap(in: answers.elements.dropFirst(told), from: attackedAt)
        longest[attack.rawValue] = max(longest[attack.rawValue] ?? .zero, gap)
        print("\(number + 1) of \(attacks.count): \(attack.rawValue), nothing answered for \(gap)")
      }
      for worker in workers { worker.kill() }
      try await LeapAudit(journal, runs: runs, stages: Self.stages)
        .answers(answers.elements.map(\.line), "seed \(Self.seed)")
      let gaps = longest.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print("\(answers.count) checkpoints answered; longest gaps: \(gaps.joined(separator: ", "))")
    }

    /// Waits until all runs are over.
    private func wait(for journal: PostgresJournal) async throws {
      while true {
        do {
          let open = RunQuery(states: [.ready, .running], limit: 1)
          if try await journal.runs(open).runs.isEmpty { return }
        } catch let error as JournalError where error.isTransient {}
      }
    }

    private static func longestGap(
      in answers: some Sequence<Answer>, from begin: ContinuousClock.Instant
    ) -> Duration {
      var last = begin
      var longest = Duration.zero
      for answer in answers where answer.instant > begin {
        longest = max(longest, last.duration(to: answer.instant))
        last = answer.instant
      }
      return longest
    }
  }
#endif
