import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Limits of flows", .timeLimit(.minutes(20)))
struct LimitTests {
  private let shop = Workshop()

  private func options(_ limits: FlowLimits?) -> FlowOptions<Scripted> {
    FlowOptions(maxConcurrent: 8, limits: limits)
  }

  @Test("The runs of a key come one after the other, in the order of starting")
  func order() async throws {
    let (names, active) = (Recorder<String>(), Locked((now: 0, most: 0)))
    let runner = try shop.runner(flow: options(FlowLimits(perKey: .init(1)))) { stage, _ in
      names.record(stage.name)
      active.withLock { active in
        active.now += 1
        active.most = max(active.most, active.now)
      }
      await Task.yield()
      active.withLock { $0.now -= 1 }
      return .complete(stage.name)
    }
    try await runner.replaceLimits()
    var runs: [RunHandle<String>] = []
    for name in ["a", "b", "c", "d", "e"] {
      runs.append(
        try await runner.start(Scripted(name), options: RunOptions(concurrencyKey: "account")))
      shop.time.advance(by: .milliseconds(1))
    }
    try await working(runner) { for run in runs { _ = try await run.value } }
    #expect(await names.elements(atLeast: 5) == ["a", "b", "c", "d", "e"])
    #expect(active.withLock { $0.most } == 1)
  }

  @Test(
    "Runs of a key that are started together begin in the order of starting",
    arguments: ["start(all:)", "starts", "join"])
  func togetherInOrder(way: String) async throws {
    let names = (0..<50).map(String.init)
    let seen = Recorder<String>()
    let keyed = RunOptions(concurrencyKey: "account")
    let runner = try shop.runner(flow: options(FlowLimits(perKey: .init(1)))) { stage, context in
      switch stage.name {
      case "starts":
        for name in names { try context.start(Scripted(name), options: keyed) }
      case "join":
        let children = try names.map { try context.child(Scripted($0), options: keyed) }
        return .join(children, then: Scripted("joined"))
      case "joined": break
      default: seen.record(stage.name)
      }
      return .complete(stage.name)
    }
    if way == "start(all:)" {
      _ = try await runner.start(all: names.map { StageStart(Scripted($0), options: keyed) })
    } else {
      try await runner.start(Scripted(way))
    }
    let order = try await working(runner) { await seen.elements(atLeast: names.count) }
    #expect(order == names)
  }

  @Test("Of whole runs of a flow, the next begins when one is over, also while that waits")
  func wholeRuns() async throws {
    let names = Recorder<String>()
    let limits = FlowLimits(runs: 1, counting: .wholeRun)
    let runner = try shop.runner(flow: options(limits)) { stage, _ in
      names.record(stage.name)
      guard stage.name == "first" else { return .complete(stage.name) }
      return .receive("go", until: nil, then: Scripted("after"))
    }
    try await runner.replaceLimits()
    let first = try await runner.start(Scripted("first"))
    shop.time.advance(by: .milliseconds(1))
    let second = try await runner.start(Scripted("second"))
    try await working(runner) {
      await shop.event { $0.kind == .stageFinished(attempt: 1, duration: .zero) }
      try await first.signal("go", "now")
      for run in [first, second] { _ = try await run.value }
    }
    #expect(names.elements == ["first", "after", "second"])
  }

  @Test("The first runner's limits hold, and one that declares others tells so")
  func differing() async throws {
    let first = FlowLimits(runs: 3)
    for (declared, kept) in [(first, first), (FlowLimits(runs: 5), first), (nil, first)] {
      let runner = try shop.runner(flow: options(declared)) { _, _ in .complete("done") }
      try await working(runner) {
        let run = try await runner.start(Scripted("a"))
        _ = try await run.value
      }
      let isTold = await shop.events.elements(atLeast: 1).contains {
        $0.kind == .limitsDiffer(declared: declared, kept: kept)
      }
      #expect(isTold == (declared != kept))
      #expect(try await shop.memory.flowLimits() == ["scripted": kept])
    }
    let other = try shop.runner(flow: options(FlowLimits(runs: 5))) { _, _ in .complete("done") }
    try await other.replaceLimits()
    #expect(try await shop.memory.flowLimits() == ["scripted": FlowLimits(runs: 5)])
    let none = try shop.runner(flow: options(nil)) { _, _ in .complete("done") }
    try await none.replaceLimits()
    #expect(try await shop.memory.flowLimits() == [:])
  }

  @Test("A bucket fills evenly, up to its count, and a clock that is set back empties nothing")
  func bucket() {
    let rate = FlowLimits.Rate(4, each: .seconds(60))
    let begin = Date(timeIntervalSinceReferenceDate: 800_000_000)
    var bucket = TokenBucket(rate, at: begin)
    #expect(bucket.available == 4 && bucket.nextToken(by: rate) == nil)
    bucket.tokens -= 4
    #expect(bucket.available == 0 && bucket.nextToken(by: rate) == begin + 15)
    bucket.fill(by: rate, at: begin + 14.5)
    #expect(bucket.available == 0)
    bucket.fill(by: rate, at: begin + 15)
    #expect(bucket.available == 1)
    bucket.fill(by: rate, at: begin - 10_000)
    #expect(bucket.available == 1)
    bucket.fill(by: rate, at: begin + 10_000)
    #expect(bucket.available == 4)
  }
}
