import FieldstoneCore
import FieldstoneDurable
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Versions of a durable flow", .timeLimit(.minutes(20)))
struct VersionTests {
  /// As it was.
  enum OldOrder: Stage, Codable {
    case pay(amount: Int)
    case ship

    func next() async throws -> Step<Self, String> { .complete("old") }
  }

  /// With a currency, and one case renamed.
  enum Order: Stage, Codable, Equatable {
    case pay(amount: Int, currency: String)
    case send

    func next() async throws -> Step<Self, String> {
      switch self {
      case .pay(let amount, let currency): .complete("\(amount) \(currency)")
      case .send: .complete("sent")
      }
    }
  }

  struct OldPay: Decodable { var amount: Int }

  let shop = Workshop()

  private func runner(
    version: Int, migration: (@Sendable (Int, String?, Data) throws -> Order)? = nil
  ) throws -> DurableRunner {
    try shop.runner(
      DurableFlow(
        Order.self, name: "order", version: version, options: FlowOptions(migration: migration)))
  }

  @Test("Stages of an older version are migrated by their case's name and JSON")
  func migrated() async throws {
    let old = try shop.runner(DurableFlow(OldOrder.self, name: "order"))
    let pay = try await old.start(OldOrder.pay(amount: 3)).id
    let ship = try await old.start(OldOrder.ship).id
    let runner = try runner(version: 2) { version, name, json in
      #expect(version == 1)
      switch name {
      case "pay":
        return .pay(amount: try StageJSON.caseValues(OldPay.self, of: json).amount, currency: "ISK")
      default: return .send
      }
    }
    try await working(runner) {
      let paid = try await runner.handle(pay, completion: String.self).value
      #expect(paid == "3 ISK")
      #expect(try await runner.handle(ship, completion: String.self).value == "sent")
      #expect(try await shop.links(of: pay).map(\.version) == [1])
      #expect(try await shop.memory.run(pay)?.version == 2)
    }
  }

  @Test("A stage that can't be read blocks its run, which consumes nothing until code can")
  func blocked() async throws {
    let old = try shop.runner(DurableFlow(OldOrder.self, name: "order"))
    let run = try await old.start(OldOrder.ship)
    try await working(try runner(version: 1)) {
      let event = await shop.event { if case .blocked = $0.kind { true } else { false } }
      #expect(event.run == run.id)
    }
    let record = try await run.record
    #expect(record.state == .blocked && record.attempts == 0 && record.sequence == 0)
    #expect(record.payload == Data(#"{"ship":{}}"#.utf8) && record.error?.isEmpty == false)
    let mended = try runner(version: 2) { _, _, _ in .send }
    try await run.retry()
    let again = mended.handle(run.id, completion: String.self)
    #expect(try await working(mended) { try await again.value } == "sent")
  }

  @Test("Who waits for a run that is blocked hears of it, and can wait again once it is freed")
  func blockedIsTold() async throws {
    let old = try shop.runner(DurableFlow(OldOrder.self, name: "order"))
    let id = try await old.start(OldOrder.ship).id
    let runner = try runner(version: 1)
    let run = runner.handle(id, completion: String.self)
    try await working(runner) {
      let error = await #expect(throws: DurableRunError.self) { try await run.value }
      let reason = try #require(try await run.record.error)
      #expect(error == .blocked(id, error: reason))
      #expect(error?.message.contains("start a runner whose code can read it") == true)
      #expect(await run.outcome.error as? DurableRunError == error)
    }
    try await run.retry()
    let mended = try self.runner(version: 2) { _, _, _ in .send }
    let again = mended.handle(id, completion: String.self)
    #expect(try await working(mended) { try await again.value(from: .anyRunner) } == "sent")
  }

  @Test("A blocked run that is found by its key is made ready, and read by a claim only")
  func startedAgain() async throws {
    let old = try shop.runner(DurableFlow(OldOrder.self, name: "order"))
    let id = try await old.start(OldOrder.ship, key: "7").id
    let unable = try runner(version: 1)
    try await working(unable) {
      _ = await #expect(throws: DurableRunError.self) {
        try await unable.handle(id, completion: String.self).value
      }
    }
    let reads = Recorder<Bool>()
    let mended = try runner(version: 2) { _, _, _ in
      reads.record(true)
      return .send
    }
    let again = try await mended.start(Order.send, key: "7")
    #expect(again.id == id)
    #expect(try await again.record.state == .ready && reads.count == 0)
    #expect(try await working(mended) { try await again.value } == "sent")
    #expect(reads.count == 1)
  }

  @Test("Who expects a run from this runner hears that it will leave it alone")
  func expectedFromThisRunner() async throws {
    let new = try runner(version: 2)
    let id = try await new.start(Order.send).id
    let old = try runner(version: 1)
    let other = try shop.runner(DurableFlow(CountingDown.self))
    try await working(old) {
      await #expect(throws: DurableRunError.newerVersion(id, found: 2, known: 1)) {
        try await old.handle(id, completion: String.self).value(from: .thisRunner)
      }
      await #expect(throws: DurableRunError.unknownFlow(id, flow: "order")) {
        try await other.handle(id, completion: String.self).value(from: .thisRunner)
      }
    }
    // From any runner it is waited for, until there is one.
    let value = Task { try await old.handle(id, completion: String.self).value }
    await shop.time.sleepers(atLeast: 1)
    try await working(new) {
      let here = try await new.handle(id, completion: String.self).value(from: .thisRunner)
      #expect(here == "sent")
      shop.time.advance(by: .milliseconds(250))
      #expect(try await value.value == "sent")
    }
    // What is there is there.
    #expect(try await old.handle(id, completion: String.self).value(from: .thisRunner) == "sent")
  }

  @Test("A migration that throws blocks the run")
  func failedMigration() async throws {
    let old = try shop.runner(DurableFlow(OldOrder.self, name: "order"))
    let run = try await old.start(OldOrder.ship)
    try await working(try runner(version: 2) { _, _, _ in throw RetryTests.Trouble() }) {
      let error = RetryTests.Trouble().message
      await shop.event { $0.kind == .blocked(error: error) && $0.run == run.id }
    }
  }

  @Test("Runs of a newer version are left alone")
  func newer() async throws {
    let new = try runner(version: 2)
    let newRun = try await new.start(Order.send)
    let old = try runner(version: 1)
    let oldRun = try await old.start(Order.send)
    try await working(old) {
      let completion = try await oldRun.value
      #expect(completion == "sent")
      #expect(try await newRun.record.state == .ready)
      #expect(try await newRun.record.fence == 0)
    }
    #expect(try await working(new) { try await newRun.value } == "sent")
  }

  @Test("The name of a case is the only key of its object, or the string of a raw value")
  func caseNames() throws {
    enum Raw: String, Codable { case first }
    struct Plain: Codable { var a = 1, b = 2 }
    #expect(StageJSON.caseName(of: try StageJSON.data(of: Order.send)) == "send")
    #expect(
      StageJSON.caseName(of: try StageJSON.data(of: Order.pay(amount: 1, currency: ""))) == "pay")
    #expect(StageJSON.caseName(of: try StageJSON.data(of: Raw.first)) == "first")
    for other in [try StageJSON.data(of: Plain()), Data("7".utf8), Data("{".utf8), Data()] {
      #expect(StageJSON.caseName(of: other) == nil)
    }
    #expect(throws: DecodingError.self) {
      try StageJSON.caseValues(Int.self, of: Data(#"{"a":1,"b":2}"#.utf8))
    }
  }

  @Test("JSON is the same for equal values, and gives every bit of a date back")
  func json() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
    let data = try StageJSON.data(of: ["b": date, "a": date])
    #expect(data == (try StageJSON.data(of: ["a": date, "b": date])))
    #expect(String(decoding: data, as: UTF8.self).hasPrefix(#"{"a":"#))
    #expect(try StageJSON.value([String: Date].self, from: data) == ["a": date, "b": date])
    #expect(try StageJSON.value(String?.self, from: try StageJSON.data(of: String?.none)) == nil)
    #expect(String(decoding: try StageJSON.data(of: "a/b"), as: UTF8.self) == #""a/b""#)
  }
}
