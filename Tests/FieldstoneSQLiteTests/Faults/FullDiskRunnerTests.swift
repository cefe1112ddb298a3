#if SQLite
  import FieldstoneDurable
  import FieldstoneSQLite
  import FieldstoneTesting
  import Foundation
  import Testing

  @Suite("A runner on a disk that fails", .timeLimit(.minutes(20)))
  struct FullDiskRunnerTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// Faults that no write gets by.
    private static let faults: [DiskFault] = [.noSpace, .writing, .syncing, .locking]

    @Test(
      "Work waits at its checkpoint, the rest goes on, and it is written when the disk is back",
      arguments: faults)
    func waits(fault: DiskFault) async throws {
      let disk = DiskFaults(folder.path, fault)
      let (shop, elsewhere) = (try DiskShop(in: folder), try DiskShop(in: Folder()))
      let attempts = Recorder<Int>()
      let runner = try shop.runner { context in
        attempts.record(context.attempt)
        disk.fail()
        return .complete("done")
      }
      let other = try elsewhere.runner { _ in .complete("other") }
      try await working(runner) {
        let run = try await runner.start(DiskTask())
        for (number, pause) in [10, 20, 40].enumerated() {
          await shop.unavailable(number + 1)
          if fault != .locking {
            #expect(try await run.record.state == .running)
            #expect(try await shop.journal.runs(RunQuery()).runs.count == 1)
          }
          // Whoever asks is told that it may pass.
          let error = await #expect(throws: JournalError.self) {
            try await runner.start(DiskTask())
          }
          #expect(error?.isTransient == true)
          await shop.sleeping(until: .seconds(1_000 + number) + .milliseconds(pause))
          if number == 2 { disk.heal() }
          shop.time.advance(by: .seconds(1))
        }
        let answer = try await working(other) { try await other.start(DiskTask()).value }
        #expect(answer == "other")
        await shop.event { $0.kind == .completed }
        #expect(try await run.value == "done")
        #expect(attempts.elements == [1])
      }
      #expect(try await JournalState(of: shop.journal).isUnbroken)
    }

    @Test(
      "When its lease ends meanwhile, it is worked on again once the disk is back",
      arguments: faults)
    func leaseEnds(fault: DiskFault) async throws {
      let disk = DiskFaults(folder.path, fault)
      let shop = try DiskShop(in: folder)
      let runner = try shop.runner { context in
        if context.attempt == 1 { disk.fail() }
        return .complete("attempt \(context.attempt)")
      }
      try await working(runner) {
        let run = try await runner.start(DiskTask())
        await shop.sleeping(until: .milliseconds(1_000_010))
        shop.time.advance(by: .seconds(30))
        await shop.event { $0.kind == .lost(.leaseEnded) }
        // It goes on asking for work.
        await shop.event { event in
          if case .journalUnavailable = event.kind { event.run == nil } else { false }
        }
        await shop.sleeping(until: .milliseconds(1_030_500))
        disk.heal()
        shop.time.advance(by: .seconds(5))
        await shop.event { $0.kind == .completed }
        #expect(try await run.value == "attempt 2")
        #expect(try await shop.journal.chain(of: run.id).map(\.fence) == [2])
      }
    }

    @Test("What does not fit for long is given back each time, never given up, and others go on")
    func neverDead() async throws {
      let disk = SmallDisk(folder.path)
      let shop = try DiskShop(in: folder)
      // Also for the announcements of the workers, and not for the stage.
      disk.setRoom(850_000)
      let long = String(repeating: "x", count: 900_000)
      let attempts = Recorder<Int>()
      let runner = try shop.runner(attempts: 3) { context in
        attempts.record(context.attempt)
        return .complete(long)
      }
      let flow = DurableFlow(
        DiskTask.self, name: "small", services: DiskWork { _ in .complete("small") })
      let small = try DurableRunner(
        journal: shop.journal, flows: [flow],
        options: DurableRunnerOptions(worker: "small", shutdownGrace: .zero, boot: "boot"),
        time: shop.time.source)
      try await working(runner) {
        let run = try await runner.start(DiskTask())
        // For longer than its attempts would last.
        for lease in 0..<5 {
          await shop.sleeping(until: .seconds(1_000 + 30 * lease) + .milliseconds(10))
          let answer = try await working(small) { try await small.start(DiskTask()).value }
          #expect(answer == "small")
          shop.events.removeAll()
          shop.time.advance(by: .seconds(30))
          await shop.event { event in
            switch event.kind {
            case .parked, .lost: true
            default: false
            }
          }
          try #require(shop.events.elements.contains { $0.kind == .parked }, "lease \(lease)")
        }
        await shop.sleeping(until: .milliseconds(1_150_010))
        disk.setRoom(.max)
        shop.time.advance(by: .seconds(1))
        await shop.event { $0.kind == .completed }
        #expect(try await run.value == long)
        #expect(attempts.elements == [1, 1, 1, 1, 1, 1])
      }
      #expect(try await JournalState(of: shop.journal).isUnbroken)
    }
  }
#endif
