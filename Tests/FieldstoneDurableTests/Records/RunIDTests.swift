import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("The identifier of a run")
struct RunIDTests {
  @Test("It sorts by time, can be read back, and is never the same twice")
  func order() throws {
    var generator = SeededGenerator(seed: 1)
    var known: Set<RunID> = []
    var last: RunID?
    for number in 0..<10_000 {
      let date = Date(timeIntervalSince1970: Double(number) * 1_234_567.891)
      let id = RunID(at: date, using: &generator)
      #expect(RunID("\(id)") == id && RunID("\(id)".lowercased()) == id)
      #expect(known.insert(id).inserted)
      if let last { #expect(last < id) }
      last = id
    }
  }

  @Test("A text of other letters is none, even if their capitals are letters of it")
  func otherLetters() {
    let id = "01M7ZPDGEEG7D4Z239M2CR1K92"
    #expect(RunID(id)?.description == id)
    let beginnings = ["ß", "ﬆ"].map { "\($0)\(id.dropFirst(2))" }
    for text in beginnings + ["ſ\(id.dropFirst())", "\(id)0", ""] {
      #expect(RunID(text) == nil, "\(text)")
    }
  }

  /// All bits the same, whatever is asked for.
  private struct Constant: RandomNumberGenerator {
    let bits: UInt64
    func next() -> UInt64 { bits }
  }

  @Test("Its bits are where they belong")
  func bits() {
    var zeros = Constant(bits: 0)
    var ones = Constant(bits: .max)
    let early = Date(timeIntervalSince1970: 0)
    #expect("\(RunID(at: early, using: &zeros))" == String(repeating: "0", count: 26))
    #expect("\(RunID(at: early, using: &ones))" == "0000000000ZZZZZZZZZZZZZZZZ")
    let late = Date(timeIntervalSince1970: 1e15)
    #expect("\(RunID(at: late, using: &ones))" == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ")
    #expect("\(RunID(at: .distantPast, using: &zeros))" == String(repeating: "0", count: 26))
  }

  @Test("The next one follows each, and there is none after the last")
  func successors() throws {
    var generator = SeededGenerator(seed: 9)
    let ids = (0..<1_000).map { _ in RunID(at: .distantPast, using: &generator) }
    #expect(ids.allSatisfy { id in id.successor.map { $0 > id } ?? false })
    for (text, next) in [
      ("00000000000000000000000000", "00000000000000000000000001"),
      ("000000000000000000000000HZ", "000000000000000000000000J0"),
      ("6ZZZZZZZZZZZZZZZZZZZZZZZZZ", "70000000000000000000000000"),
    ] {
      #expect(try #require(RunID(text)).successor == RunID(next))
    }
    #expect(try #require(RunID("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")).successor == nil)
  }

  @Test(
    "Other texts are none",
    arguments: ["", "0", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0000000000ZZZZZZZZZZZZZZZI", "é"])
  func refused(text: String) {
    #expect(RunID(text) == nil)
  }

  @Test("An identifier carries the slot of its flow and key, for ever the same")
  func slots() async throws {
    var generator = SeededGenerator(seed: 5)
    for slot in [UInt16.min, 1, 0x00FF, 0x1234, 0xFF00, .max] {
      let date = Date(timeIntervalSince1970: 1_800_000_000)
      let id = RunID(at: date, slot: slot, using: &generator)
      #expect(id.slot == slot)
      #expect(RunID("\(id)")?.slot == slot)
    }
    #expect(RunID.slot(of: "orders", key: "17") == 2322)
    #expect(RunID.slot(of: "orders", key: "17") != RunID.slot(of: "orders", key: "18"))
    #expect(RunID.slot(of: "order", key: "s17") != RunID.slot(of: "orders", key: "17"))
    let shop = Workshop()
    let runner = try shop.runner { stage, _ in .complete(stage.name) }
    var slots: [UInt16] = []
    for options in [RunOptions(), RunOptions(ifTaken: .replaceUnlessBegun)] {
      slots.append(try runner.runStart(Scripted("a"), key: "17", options: options).id.slot)
    }
    #expect(slots == Array(repeating: RunID.slot(of: "scripted", key: "17"), count: 2))
    // The concurrency key goes before the key: the runs that share its places are in one journal.
    for key in ["17", "18", nil] {
      let options = RunOptions(concurrencyKey: "ada")
      let id = try runner.runStart(Scripted("a"), key: key, options: options).id
      #expect(id.slot == RunID.slot(of: "scripted", key: "ada"))
    }
    let ids = try (0..<20).map { _ in try runner.runStart(Scripted("a")).id.slot }
    #expect(Set(ids).count > 1)
  }

  @Test("A sequence's identifiers of a millisecond increase in each slot")
  func sequence() {
    var generator = SeededGenerator(seed: 6)
    var sequence = RunIDSequence()
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    for slot in [UInt16(7), 8] {
      let ids = (0..<1_000).map { _ in
        sequence.next(at: date, slot: slot, random: generator.next())
      }
      #expect(ids == ids.sorted() && Set(ids).count == ids.count)
      #expect(ids.allSatisfy { $0.slot == slot })
      #expect(ids.allSatisfy { RunID.lowest(at: date) < $0 && $0 < RunID.highest(at: date) })
    }
    // Its highest bit is left out.
    let later = sequence.next(at: date + 0.002, slot: 7, random: 18)
    #expect("\(later)".hasSuffix("0000009"))
  }

  @Test("An identifier of 0.1.0 has a slot as any other")
  func oldIdentifiers() throws {
    // Its sixteen bits after the time were by chance.
    #expect(try #require(RunID("01ARZ3NDEKTSV4RRFFQ69G5FAV")).slot == 0xD676)
  }
}
