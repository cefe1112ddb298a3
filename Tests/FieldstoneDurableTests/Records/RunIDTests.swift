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

  @Test(
    "Other texts are none",
    arguments: ["", "0", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0000000000ZZZZZZZZZZZZZZZI", "é"])
  func refused(text: String) {
    #expect(RunID(text) == nil)
  }
}
