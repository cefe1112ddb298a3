import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Workers in the journal", .timeLimit(.minutes(20)))
struct WorkerTests {
  let calls = Recorder<JournalProxy.Call>()
  let shop: Workshop

  init() {
    shop = Workshop(after: { [calls] in calls.record($0) })
  }

  private var announcements: Int { calls.elements.count { $0 == .setWorker } }

  /// Waits until a call was made so often.
  private func made(_ call: JournalProxy.Call, _ count: Int) async {
    var seen = 0
    while calls.elements.count(where: { $0 == call }) < count, !Task.isCancelled {
      seen = await calls.elements(atLeast: seen + 1).count
    }
  }

  @Test("A worker announces itself, with what it works on, and leaves nothing behind")
  func announces() async throws {
    let gate = Gate()
    var options = shop.options(lease: .seconds(30))
    options.pollInterval = .seconds(20)
    let runner = try shop.runner(options: options) { _, _ in
      await gate.wait()
      return .complete("done")
    }
    let start = shop.time.source.now
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await made(.setWorker, 1)
      var worker = try #require(try await shop.memory.workers().first)
      #expect(worker.name == "a" && worker.id == "a")
      #expect(worker.process == Int(ProcessInfo.processInfo.processIdentifier))
      #expect(!worker.machine.isEmpty && worker.protocolVersion == 2)
      #expect(worker.flows == [.init(name: "scripted", version: 1)])
      #expect(worker.startedAt == start && worker.lastSeenAt == start)
      #expect(worker.interval == .seconds(30))
      await gate.arrivals(atLeast: 1)
      // The polls remind of it. Each renewal is waited for, and no poll is: one that came late takes
      // place later.
      var renewals = 0
      while announcements < 2, !Task.isCancelled {
        renewals += 1
        shop.time.advance(by: .seconds(10))
        await made(.renew, renewals)
      }
      worker = try #require(try await shop.memory.workers().first)
      #expect(worker.startedAt == start && worker.lastSeenAt >= start + 30)
      #expect(worker.runs == [run.id] && worker.runCount == 1)
      gate.open()
      _ = try await run.value
    }
    #expect(try await shop.memory.workers() == [])
  }

  @Test("A worker is silent once it has missed two announcements")
  func silent() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let worker = WorkerRecord(
      name: "a", machine: "m", process: 1, protocolVersion: 2, flows: [], startedAt: now,
      lastSeenAt: now, interval: .seconds(10))
    #expect(!worker.isSilent(at: now - 60) && !worker.isSilent(at: now + 30))
    #expect(worker.isSilent(at: now + 30.001))
  }

  @Test("A journal that refuses announcements does not keep a worker from its work")
  func refused() async throws {
    let shop = Workshop(before: { call in
      if call == .setWorker { throw JournalError.unavailable("full") }
    })
    let runner = try shop.runner { _, _ in .complete("done") }
    let run = try await runner.start(Scripted("a"))
    #expect(try await working(runner) { try await run.value } == "done")
    #expect(try await shop.memory.workers() == [])
  }
}
