#if CommandLineTool
  import FieldstoneCommand
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneRunDisplay
  import FieldstoneTesting
  import Foundation
  import Testing

  /// A journal in memory with the command before it, and all that the command says.
  final class Desk: Sendable {
    let journal = InMemoryJournal()
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_795_000_000))
    private let generator = Locked(SeededGenerator(seed: 4))
    /// The journal as it is found to be written in, if it has changed since it was read.
    let changedJournal = Locked<InMemoryJournal?>(nil)
    /// The flows that the command was built with.
    let knownFlows = Locked<[DurableFlow]?>(nil)
    /// The signals that the command was built with.
    let knownSignals = Locked<[OfferedSignal]>([])
    private let output = Locked("")
    private let complaints = Locked<[String]>([])
    private let questions = Locked<[String]>([])
    private let opened = Locked<[CommandEnvironment.Access]>([])
    private let files = Locked<[String: String]>([:])

    /// What the command was told to do, and what came of it.
    struct Result {
      var status: Int32
      var output: String
      var complaints: [String]
      var questions: [String]
      var accesses: [CommandEnvironment.Access]
      var files: [String: String]
    }

    /// Runs `fieldstone schedules …` on the journal.
    func schedules(_ arguments: String...) async -> Result {
      await execute(["schedules"] + arguments)
    }

    /// Runs `fieldstone workers …` on the journal.
    func workers(_ arguments: String...) async -> Result {
      await execute(["workers"] + arguments)
    }

    /// Runs `fieldstone flows …` on the journal.
    func flows(_ arguments: String...) async -> Result {
      await execute(["flows"] + arguments)
    }

    /// Runs `fieldstone audit …` on the journal.
    func audit(_ arguments: String...) async -> Result { await execute(["audit"] + arguments) }

    /// Runs `fieldstone runs …` on the journal.
    func run(
      _ arguments: String..., answer: Bool = false, input: String = ""
    ) async -> Result {
      await run(arguments, answer: answer, input: input)
    }

    /// The number of journals that were closed.
    let closedCount = Locked(0)

    func run(_ arguments: [String], answer: Bool = false, input: String = "") async -> Result {
      await execute(["runs"] + arguments, answer: answer, input: input)
    }

    /// Runs `fieldstone runs list …` on the journal.
    func list(_ arguments: [String]) async -> Result {
      await execute(["runs", "list"] + arguments)
    }

    private func execute(
      _ arguments: [String], answer: Bool = false, input: String = ""
    ) async -> Result {
      output.withLock { $0 = "" }
      complaints.withLock { $0 = [] }
      questions.withLock { $0 = [] }
      opened.withLock { $0 = [] }
      closedCount.withLock { $0 = 0 }
      files.withLock { $0 = [:] }
      let status = await JournalTool.run(
        arguments + ["--journal", "orders.sqlite"],
        in: environment(answer: answer, input: input))
      return result(status)
    }

    /// All that came of the commands so far.
    func result(_ status: Int32) -> Result {
      Result(
        status: status, output: output.withLock { $0 }, complaints: complaints.withLock { $0 },
        questions: questions.withLock { $0 }, accesses: opened.withLock { $0 },
        files: files.withLock { $0 })
    }

    func environment(answer: Bool = false, input: String = "") -> CommandEnvironment {
      CommandEnvironment(
        open: { path, access in
          guard path == "orders.sqlite" else { throw JournalError.noJournal(path) }
          self.opened.withLock { $0.append(access) }
          return access == .writing
            ? self.changedJournal.withLock { $0 } ?? self.journal : self.journal
        },
        close: { _ in self.closedCount.withLock { $0 += 1 } },
        write: { text in self.output.withLock { $0 += text } },
        complain: { text in self.complaints.withLock { $0.append(text) } },
        confirm: { question in
          self.questions.withLock { $0.append(question) }
          return answer
        },
        readInput: { Data(input.utf8) },
        save: { text, path in
          guard !path.hasPrefix("nowhere") else { throw CocoaError(.fileNoSuchFile) }
          self.files.withLock { $0[path] = text }
        },
        user: "ada", flows: knownFlows.withLock { $0 },
        signals: knownSignals.withLock { $0 }, time: time.source)
    }

    var now: JournalTime { JournalTime(time.source, boot: "boot") }

    func newID() -> RunID {
      let date = time.now
      return generator.withLock { RunID(at: date, using: &$0) }
    }

    @discardableResult
    func start(_ stage: String, flow: String = "order", key: String? = nil) async throws -> RunID {
      let start = RunStart(
        id: newID(), flow: flow, version: 1, key: key, payload: Data(stage.utf8))
      return try await journal.start(start, at: now).id
    }

    func claim(_ flow: String = "order") async throws -> RunRecord {
      let request = ClaimRequest(
        worker: "worker 1", flows: [.init(flow: flow, version: 1, limit: 1)], lease: .seconds(3_600)
      )
      return try #require(try await journal.claim(request, at: now).runs.first).record
    }

    /// Goes on to a stage, after so many seconds of work.
    func advance(_ run: RunRecord, to next: Checkpoint.Next, after seconds: Double = 1) async throws
      -> RunRecord
    {
      let begin = time.now
      time.advance(by: .seconds(seconds))
      try await journal.checkpoint(
        Checkpoint(
          claim: RunClaim(id: run.id, sequence: run.sequence, fence: run.fence), version: 1,
          next: next, beganAt: begin, lease: .seconds(3_600)), at: now)
      return try #require(try await journal.run(run.id))
    }

    func park(_ run: RunRecord, _ reason: Parking.Reason) async throws {
      let claim = RunClaim(id: run.id, sequence: run.sequence, fence: run.fence)
      try await journal.park(Parking(claim: claim, reason: reason), at: now)
    }

    /// A run that goes round and round, is edited once and dies with that error.
    func deadRun(error: String = "the server said <no> & \"no\"") async throws -> RunID {
      let id = try await start(#"{"open":{"path":"in.csv"}}"#, key: "import 7")
      var run = try await claim()
      for number in 0..<3 {
        run = try await advance(
          run, to: .stage(Data(#"{"read":{"_0":\#(number)}}"#.utf8)), after: 0.25)
        run = try await advance(run, to: .stage(Data(#"{"write":{}}"#.utf8)), after: 1.5)
      }
      try await park(run, .retry(at: time.now, error: "busy"))
      try await park(try await claim(), .dead(error: error))
      try await journal.change(id, .edit(Data(#"{"close":{}}"#.utf8), version: nil), at: now)
      run = try await claim()
      try await park(run, .dead(error: error))
      return id
    }
  }

#endif
