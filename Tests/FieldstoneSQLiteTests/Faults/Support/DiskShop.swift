#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation

  /// A stage whose work is what the test says.
  struct DiskTask: DurableStage, Equatable {
    func next(in context: DurableContext<DiskWork>) async throws -> DurableStep<Self, String> {
      try await context.services.next(context)
    }
  }

  struct DiskWork: Sendable {
    let next: @Sendable (DurableContext<DiskWork>) async throws -> DurableStep<DiskTask, String>

    init(
      _ next:
        @escaping @Sendable (DurableContext<DiskWork>) async throws -> DurableStep<
          DiskTask, String
        >
    ) {
      self.next = next
    }
  }

  /// A journal in a folder, a clock that the test moves, and runners that work by it.
  final class DiskShop: Sendable {
    private let folder: Folder
    let journal: SQLiteJournal
    let time = ManualTime(now: JournalTime.at(0).date, uptime: .seconds(1_000))
    let events = Recorder<RunnerEvent>()
    private let deadlines = Recorder<Duration>()

    init(in folder: Folder) throws {
      self.folder = folder
      journal = try SQLiteJournal(path: folder.path)
    }

    /// The clock, with what is slept for written down.
    private var source: TimeSource {
      let source = time.source
      return TimeSource(
        now: { source.now }, uptime: { source.uptime },
        sleepUntilUptime: { [deadlines] in
          deadlines.record($0)
          try await source.sleep(untilUptime: $0)
        }, sleepUntilDate: { try await source.sleep(until: $0) })
    }

    /// Waits until somebody sleeps until an uptime, or has done so.
    func sleeping(until deadline: Duration) async {
      var seen = 0
      while true {
        let deadlines = await deadlines.elements(atLeast: seen + 1)
        if deadlines[seen...].contains(deadline) { return }
        seen = deadlines.count
      }
    }

    /// A runner that works on one run at a time.
    func runner(
      attempts: Int = 10,
      work:
        @escaping @Sendable (DurableContext<DiskWork>) async throws -> DurableStep<
          DiskTask, String
        >
    ) throws -> DurableRunner {
      let flow = DurableFlow(
        DiskTask.self, name: "task", services: DiskWork(work),
        options: .init(
          maxConcurrent: 1, retryPolicy: { _ in StageRetryPolicy(maximumAttempts: attempts) }))
      return try DurableRunner(
        journal: journal, flows: [flow],
        options: DurableRunnerOptions(
          worker: "a", lease: .seconds(30), shutdownGrace: .zero, boot: "boot",
          onEvent: { [events] in events.record($0) }), time: source)
    }

    /// Waits for an event, also one that has happened before.
    func event(where isMeant: (RunnerEvent) -> Bool) async {
      var seen = 0
      while true {
        let events = await events.elements(atLeast: seen + 1)
        if events[seen...].contains(where: isMeant) { return }
        seen = events.count
      }
    }

    /// Waits until the journal could not be used for so many times.
    func unavailable(_ count: Int) async {
      var found = 0
      await event { event in
        if case .journalUnavailable = event.kind { found += 1 }
        return found >= count
      }
    }
  }

  /// Runs a runner while a body does something with it, then shuts it down.
  func working<Result: Sendable>(
    _ runner: DurableRunner, _ body: () async throws -> Result
  ) async throws -> Result {
    let work = Task { try await runner.run() }
    // Also when `run` has not begun yet.
    defer { work.cancel() }
    // When the test has failed, nobody may be left to move the clock on.
    let result = try await body()
    work.cancel()
    _ = await work.result
    return result
  }
#endif
