#if SQLite
  import FieldstoneCore
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("Rolling back to older code, and forward again", .timeLimit(.minutes(20)))
  struct RollingBackTests {
    let folder: Folder
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000), uptime: .seconds(1_000))
    let events = Recorder<RunnerEvent>()

    init() throws { folder = try Folder() }

    /// As it was.
    enum DriveTrip: DurableStage {
      case pack
      case drive

      func next(in context: DurableContext<Gate>) async throws -> DurableStep<Self, String> {
        switch self {
        case .pack: .advance(to: .drive)
        case .drive: .complete("driven")
        }
      }
    }

    /// With a case that the code before does not know, which it waits before.
    enum FlyTrip: DurableStage {
      case pack
      case fly(seat: Int)
      case drive

      func next(in context: DurableContext<Gate>) async throws -> DurableStep<Self, String> {
        switch self {
        case .pack:
          let wait = context.now + 60
          return .wait(until: wait, then: .fly(seat: 3))
        case .fly: return .advance(to: .drive)
        case .drive: return .complete("flown")
        }
      }
    }

    private func runner(_ journal: any Journal, _ flow: DurableFlow) throws -> DurableRunner {
      try DurableRunner(
        journal: journal, flows: [flow],
        options: DurableRunnerOptions(
          lease: .seconds(30), shutdownGrace: .zero, boot: "boot",
          onEvent: { [events] in events.record($0) }),
        time: time.source)
    }

    private func old(_ journal: any Journal) throws -> DurableRunner {
      try runner(journal, DurableFlow(DriveTrip.self, name: "trip", version: 1, services: Gate()))
    }

    private func new(_ journal: any Journal, version: Int) throws -> DurableRunner {
      try runner(
        journal, DurableFlow(FlyTrip.self, name: "trip", version: version, services: Gate()))
    }

    /// Lets a runner work until so many events of a kind have come, of all its life.
    private func work(
      _ runner: DurableRunner, untilEvents count: Int, _ isMeant: (RunnerEvent.Kind) -> Bool
    ) async {
      let work = Task { try await runner.run() }
      let before = events.count
      var seen = before
      while !Task.isCancelled,
        events.elements.dropFirst(before).count(where: { isMeant($0.kind) }) < count
      {
        seen += 1
        await events.elements(atLeast: seen)
      }
      work.cancel()
      _ = await work.result
    }

    private func isFinished(_ kind: RunnerEvent.Kind) -> Bool {
      if case .stageFinished = kind { true } else { false }
    }

    private func isBlocked(_ kind: RunnerEvent.Kind) -> Bool {
      if case .blocked = kind { true } else { false }
    }

    @Test(
      "What older code can't read it blocks as it is; newer code frees it once it is started",
      arguments: JournalKind.allCases)
    func blocked(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      // More than a page of them.
      let count = 130
      let forward = try new(journal, version: 1)
      var ids: [RunID] = []
      for number in 0..<count {
        ids.append(try await forward.start(FlyTrip.pack, key: "\(number)").id)
      }
      await work(forward, untilEvents: count, isFinished)
      time.advance(by: .seconds(3_600))
      await work(try old(journal), untilEvents: count, isBlocked)
      // Started again it can read them no better, and blocks them again.
      let other = try old(journal)
      let mine = try await other.start(DriveTrip.pack)
      await work(other, untilEvents: count + 1) { isBlocked($0) || $0 == .completed }
      #expect(try await journal.run(mine.id)?.state == .completed)
      for id in ids {
        let record = try #require(try await journal.run(id))
        #expect(record.state == .blocked && record.attempts == 0 && record.sequence == 1)
        #expect(record.payload == Data(#"{"fly":{"seat":3}}"#.utf8) && record.fence == 3)
      }
      await work(try new(journal, version: 1), untilEvents: count) { $0 == .completed }
      for id in ids {
        let record = try #require(try await journal.run(id))
        #expect(record.state == .completed && record.payload == Data(#""flown""#.utf8))
        let links = try await journal.steps(of: id, after: nil, limit: 9).steps
        #expect(links.map(\.sequence) == [0, 1, 2])
      }
    }

    @Test(
      "With a version that was raised, older code leaves newer runs alone and does its own",
      arguments: JournalKind.allCases)
    func raised(kind: JournalKind) async throws {
      let journal = try kind.make(in: folder)
      let before = try old(journal)
      let older = try await before.start(DriveTrip.pack).id
      let forward = try new(journal, version: 2)
      let newer = try await forward.start(FlyTrip.pack).id
      // Both are read: the case that both know is the same.
      await work(forward, untilEvents: 2, isFinished)
      let left = try #require(try await journal.run(newer))
      #expect(left.version == 2 && left.sequence == 1)
      time.advance(by: .seconds(3_600))
      let again = try old(journal)
      let mine = try await again.start(DriveTrip.pack).id
      await work(again, untilEvents: 1) { $0 == .completed }
      #expect(try await journal.run(mine)?.state == .completed)
      #expect(try await journal.run(newer) == left)
      await work(try new(journal, version: 2), untilEvents: 2) { $0 == .completed }
      for id in [older, newer] {
        #expect(try await journal.run(id)?.payload == Data(#""flown""#.utf8))
      }
      #expect(!events.elements.contains { isBlocked($0.kind) })
    }
  }
#endif
