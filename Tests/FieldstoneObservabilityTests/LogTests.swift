#if Observability
  import FieldstoneDurable
  import FieldstoneObservability
  import FieldstoneTesting
  import Foundation
  import InMemoryLogging
  import Logging
  import Testing

  @Suite("The log of a durable runner", .timeLimit(.minutes(20)))
  struct LogTests {
    let handler: InMemoryLogHandler
    let logger: Logger

    init() {
      var handler = InMemoryLogHandler()
      handler.logLevel = .trace
      self.handler = handler
      logger = Logger(label: "runner", factory: { [handler] _ in handler })
    }

    /// An event, and the line that it makes.
    struct Line: Sendable, CustomTestStringConvertible {
      var kind: RunnerEvent.Kind
      var level: Logger.Level
      var message: String
      var metadata: [String: String] = [:]

      var testDescription: String { message }
    }

    static let date = Date(timeIntervalSince1970: 1_800_000_000)
    static let lines = [
      Line(kind: .started, level: .info, message: "Run started"),
      Line(
        kind: .claimed(attempt: 2), level: .debug, message: "Run claimed",
        metadata: ["attempt": "2"]),
      Line(
        kind: .stageFinished(attempt: 2, duration: .milliseconds(500)), level: .debug,
        message: "Stage finished", metadata: ["attempt": "2", "duration": "0.5 seconds"]),
      Line(kind: .completed, level: .info, message: "Run completed"),
      Line(
        kind: .retry(attempt: 3, at: date, error: "no"), level: .warning,
        message: "Stage failed, will be retried",
        metadata: ["attempt": "3", "error": "no", "retry.at": "2027-01-15T08:00:00Z"]),
      Line(
        kind: .dead(attempts: 4, error: "no"), level: .error, message: "Run dead",
        metadata: ["attempt": "4", "error": "no"]),
      Line(
        kind: .blocked(error: "what?"), level: .error, message: "Run blocked",
        metadata: ["error": "what?"]),
      Line(kind: .parked, level: .info, message: "Run given back"),
      Line(
        kind: .lost(.leaseEnded), level: .warning, message: "Run lost",
        metadata: ["loss": "leaseEnded"]),
      Line(
        kind: .journalUnavailable(error: "full"), level: .warning, message: "Journal unavailable",
        metadata: ["error": "full"]),
      Line(
        kind: .executorHeldUp(for: .seconds(10), isOver: true), level: .warning,
        message: "Executor held up", metadata: ["duration": "10.0 seconds", "over": "true"]),
      Line(
        kind: .renewalStopped(heldUpFor: .seconds(300)), level: .error,
        message: "Leases renewed no more", metadata: ["duration": "300.0 seconds"]),
      Line(
        kind: .payloadWarning(bytes: 9, limit: 8), level: .warning, message: "Payload large",
        metadata: ["bytes": "9", "limit": "8"]),
    ]

    @Test(
      "Each event is a line with its level, its words and to whom it happened", arguments: lines)
    func line(line: Line) throws {
      var options = DurableRunnerOptions()
      options.log(to: logger)
      let id = RunID.sample()
      options.onEvent?(RunnerEvent(line.kind, flow: "errand", run: id, sequence: 7))
      let entry = try #require(handler.entries.first)
      #expect(handler.entries.count == 1)
      #expect(entry.level == line.level && "\(entry.message)" == line.message)
      let about = ["flow": "errand", "run": "\(id)", "sequence": "7"]
      #expect(
        entry.metadata.mapValues { "\($0)" } == line.metadata.merging(about) { first, _ in first })
    }

    @Test("What concerns no run says of none")
    func noRun() throws {
      var options = DurableRunnerOptions()
      options.log(to: logger)
      options.onEvent?(RunnerEvent(.journalUnavailable(error: "full")))
      #expect(handler.entries.map { $0.metadata.keys.sorted() } == [["error"]])
    }

    @Test("Whoever was told of events before is told first")
    func earlier() {
      let told = Recorder<Int>()
      var options = DurableRunnerOptions(onEvent: { [handler] _ in
        told.record(handler.entries.count)
      })
      options.log(to: logger)
      options.onEvent?(RunnerEvent(.started))
      #expect(told.elements == [0] && handler.entries.count == 1)
    }

    @Test("A run is in the log from its start to its completion")
    func run() async throws {
      var options = DurableRunnerOptions()
      options.log(to: logger)
      let runner = try errandRunner(options) { stage, _ in
        stage.name == "a" ? .advance(to: "b") : .complete("done")
      }
      let run = try await working(runner) {
        let run = try await runner.start(Errand("a"))
        _ = try await run.value
        return run
      }
      let entries = handler.entries
      #expect(entries.allSatisfy { $0.metadata["run"] == .stringConvertible(run.id) })
      // Who starts a run and who claims it do so at the same time.
      #expect(
        entries.map { "\($0.message)" }.sorted() == [
          "Run claimed", "Run completed", "Run started", "Stage finished", "Stage finished",
        ])
      let finished = entries.filter { $0.message == "Stage finished" }
      #expect(finished.map { $0.metadata["sequence"].map { "\($0)" } } == ["0", "1"])
    }
  }
#endif
