import FieldstoneDurable
import FieldstoneDurableTesting
import FieldstoneStages
import Foundation
import Testing

@Suite("Samples of the stages of a flow", .timeLimit(.minutes(20)))
struct StageFixturesTests {
  private typealias Order = Orders.Order
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "fieldstone-fixtures-\(UUID().uuidString)", directoryHint: .isDirectory)

  private func fixtures(_ flow: DurableFlow, isRecording: Bool = false) -> StageFixtures {
    StageFixtures(in: folder.path, of: flow, isRecording: isRecording)
  }

  /// Records all versions of the flow, each with the code of its time.
  private func recordAll() throws {
    try fixtures(Orders.first, isRecording: true).check([Orders.First.pay(amount: 3), .ship])
    try fixtures(Orders.second, isRecording: true).check([
      Orders.Second.pay(amount: 3, currency: "EUR"), .send,
    ])
  }

  private func text(_ file: String) -> String? {
    try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
  }

  private func failures(of body: () throws -> Void) -> [StageFixturesError.Failure] {
    do {
      try body()
      return []
    } catch let error as StageFixturesError {
      #expect(error.message.contains(error.folder))
      for failure in error.failures { #expect(error.message.contains("- " + failure.message)) }
      return error.failures
    } catch {
      Issue.record(error)
      return []
    }
  }

  // snippet: versions-fixtures
  @Test func allThatWasEverWrittenIsRead() throws {
    try StageFixtures(in: "../Fixtures", of: Orders.flow).check([
      Orders.Order.pay(amount: 3, currency: "EUR"), .send, .refund(reason: "too late"),
    ])
  }
  // end

  @Test("What a migration makes of a sample can be looked at")
  func migrated() throws {
    let fixtures = StageFixtures(in: "../Fixtures", of: Orders.flow)
    // snippet: versions-migrated
    let order: Orders.Order = try fixtures.stage("pay", version: 1)
    #expect(order == .pay(amount: 3, currency: "ISK"))
    // end
    #expect(try fixtures.stage("ship", version: 1) == Order.send)
    #expect(try fixtures.stage("pay", version: 2) == Order.pay(amount: 3, currency: "EUR"))
    #expect(
      failures { _ = try fixtures.stage("pay", version: 1, as: Orders.First.self) }
        == [.otherStage("First")])
    let missing = failures { _ = try fixtures.stage("burn", version: 1, as: Order.self) }
    guard case .unreadable("order/1/burn.json", _) = missing.first else {
      Issue.record("\(missing)")
      return
    }
  }

  @Test("A version's samples are written once, in its folder, as a journal has them")
  func records() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try recordAll()
    try fixtures(Orders.flow, isRecording: true).check(Orders.samples)
    let committed = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures")
    let files = ["1/pay", "1/ship", "2/pay", "2/send", "3/pay", "3/refund", "3/send"]
    for file in files {
      let path = "order/\(file).json"
      let known = try String(contentsOf: committed.appending(path: path), encoding: .utf8)
      #expect(text(path) == known, "\(path)")
    }
    #expect(text("order/1/pay.json") == #"{"pay":{"amount":3}}"# + "\n")
    try fixtures(Orders.flow).check(Orders.samples)
  }

  @Test("Without recording a missing file is told, and none is written")
  func notRecording() throws {
    #expect(
      failures { try fixtures(Orders.first).check([Orders.First.pay(amount: 3), .ship]) } == [
        .notRecorded(file: "order/1/pay.json"), .notRecorded(file: "order/1/ship.json"),
      ])
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test("A stage that the flow can't read any more is told by its file")
  func unreadable() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try recordAll()
    let flow = DurableFlow(Order.self)
    let found = failures { try fixtures(flow, isRecording: true).check(Orders.samples) }
    let files = found.map { failure in
      if case .unreadable(let file, let reason) = failure { reason.isEmpty ? "" : file } else { "" }
    }
    #expect(files == ["order/1/pay.json", "order/1/ship.json"])
    #expect(found.first?.message.contains("currency") == true)
  }

  @Test("A stage that is written otherwise in the same version is told, and its file stays")
  func changed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try recordAll()
    let flow = DurableFlow(Orders.Second.self, name: "order", version: 1)
    let samples = [Orders.Second.pay(amount: 3, currency: "EUR"), .send]
    let found = failures { try fixtures(flow, isRecording: true).check(samples) }
    #expect(
      found.contains(
        .changed(
          file: "order/1/pay.json", recorded: #"{"pay":{"amount":3}}"#,
          now: #"{"pay":{"amount":3,"currency":"EUR"}}"#)))
    #expect(text("order/1/pay.json") == #"{"pay":{"amount":3}}"# + "\n")
  }

  @Test("The layout of a file is nobody's concern, the kind of its values is")
  func layout() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    struct Truth: Stage, Codable {
      var isTrue: Bool
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }
    struct Number: Stage, Codable {
      var isTrue: Int
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }
    let flow = DurableFlow(Truth.self, name: "truth")
    try fixtures(flow, isRecording: true).check(["yes": Truth(isTrue: true)])
    let file = folder.appending(path: "truth/1/yes.json")
    try Data("{\n  \"isTrue\" : true\n}\n\n".utf8).write(to: file)
    try fixtures(flow).check(["yes": Truth(isTrue: true)])
    let other = DurableFlow(Number.self, name: "truth")
    #expect(failures { try fixtures(other).check(["yes": Number(isTrue: 1)]) }.count == 2)
  }

  @Test("A case without a sample is told, whatever its name is in JSON")
  func missingCase() throws {
    enum Named: String, Stage, Codable {
      case one = "eins"
      case two = "zwei"
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    let found = failures {
      try fixtures(Orders.flow, isRecording: true).check([Order.send])
    }
    #expect(
      Set(found) == [.noSample(case: "pay", version: 3), .noSample(case: "refund", version: 3)])
    let named = DurableFlow(Named.self, name: "named")
    #expect(
      failures { try fixtures(named, isRecording: true).check([Named.one]) }
        == [.noSample(case: "two", version: 1)])
    try fixtures(named, isRecording: true).check([Named.one, .two])
    #expect(text("named/1/zwei.json") == "\"zwei\"\n")
  }

  @Test("Samples of a newer version, and folders that are none, are told")
  func versions() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try recordAll()
    let odd = folder.appending(path: "order/v4", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
    #expect(
      failures { try fixtures(Orders.first).check([Orders.First.pay(amount: 3), .ship]) }
        == [.noVersion(folder: "v4"), .newer(version: 2, known: 1)])
  }

  @Test("Samples have names of their own, which stay in the folder")
  func names() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let flow = DurableFlow(Orders.First.self, name: "../order")
    #expect(
      failures {
        try fixtures(flow, isRecording: true).check([Orders.First.ship, .ship, .pay(amount: 1)])
      } == [.nameTwice("ship")])
    try fixtures(flow, isRecording: true).check([
      "no money": Orders.First.pay(amount: 0), "../ship": .ship, ".": .ship,
    ])
    let names = FileManager.default.subpaths(atPath: folder.path) ?? []
    #expect(
      names.filter { $0.hasSuffix(".json") }.sorted() == [
        "%2E.%2Forder/1/%2E.%2Fship.json", "%2E.%2Forder/1/%2E.json",
        "%2E.%2Forder/1/no money.json", "%2E.%2Forder/1/pay.json", "%2E.%2Forder/1/ship.json",
      ])
    struct Plain: Stage, Codable {
      var left = 1, right = 2
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }
    let plain = DurableFlow(Plain.self, name: "plain")
    guard case .noName = failures(of: { try fixtures(plain).check([Plain()]) }).first else {
      Issue.record("It was named.")
      return
    }
    #expect(
      failures { try fixtures(plain).check([Orders.First.ship]) } == [.otherStage("First")])
  }

  @Test("What can't be encoded or written is told")
  func notWritten() throws {
    struct Weight: Stage, Codable {
      var grams: Double
      func next() async throws -> Step<Self, Int> { .complete(1) }
    }
    let flow = DurableFlow(Weight.self, name: "weight")
    let found = failures { try fixtures(flow).check(["heavy": Weight(grams: .infinity)]) }
    guard case .notWritten("weight/1/heavy.json", _) = found.first else {
      Issue.record("\(found)")
      return
    }
  }
  @Test("A set is the same stage in any order, and an array is not")
  func sets() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixtures = self.fixtures(
      DurableFlow(Tagging.self, name: "tags", version: 1), isRecording: true)
    let numbers = Array(1...9)
    let samples = [Tagging.tag(Set(numbers)), .list(numbers)]
    try fixtures.check(samples)
    for order in [numbers, numbers.reversed()] {
      let json = Data("{\"tag\":{\"_0\":\(order)}}".utf8)
      try json.write(to: folder.appending(path: "tags/1/tag.json"))
      try fixtures.check(samples)
    }
    for other in [Tagging.tag([1, 2]), .list(numbers.reversed())] {
      let samples = other.isList ? [samples[0], other] : [other, samples[1]]
      let failures = self.failures { try fixtures.check(samples) }
      guard failures.count == 1, case .changed = failures[0] else {
        Issue.record("\(failures)")
        continue
      }
    }
  }

  @Test("A folder that is named by more than a number is told, as its samples are not read")
  func unreadFolders() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let fixtures = self.fixtures(
      DurableFlow(Tagging.self, name: "tags", version: 1), isRecording: true)
    let samples = [Tagging.tag([1]), .list([1])]
    try fixtures.check(samples)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "tags/01"), withIntermediateDirectories: true)
    #expect(failures { try fixtures.check(samples) } == [.noVersion(folder: "01")])
  }
}

/// A flow whose stages have a set and an array.
private enum Tagging: Stage, Codable, Equatable {
  case tag(Set<Int>)
  case list([Int])

  var isList: Bool { if case .list = self { true } else { false } }

  func next() async throws -> Step<Self, Int> { .complete(1) }
}
