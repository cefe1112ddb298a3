import FieldstoneCore
import Testing

@Suite("Waits that double")
struct DoublingDelayTests {
  @Test("They double up to the longest")
  func doubling() {
    var delay = DoublingDelay(first: .milliseconds(10), longest: .milliseconds(70))
    #expect((0..<5).map { _ in delay.next() } == [10, 20, 40, 70, 70].map { .milliseconds($0) })
  }

  @Test(
    "A wait after so many failures is that of the line, also after very many",
    arguments: [-1, 0, 1, 2, 3, 4, 100_000, Int.max])
  func after(failures: Int) {
    let wait = DoublingDelay.wait(
      after: failures, first: .milliseconds(500), longest: .seconds(3))
    let waits: [Int: Duration] = [2: .seconds(1), 3: .seconds(2)]
    #expect(wait == waits[failures] ?? (failures < 2 ? .milliseconds(500) : .seconds(3)))
  }

  @Test(
    "What is below zero is none, and nothing overflows",
    arguments: [
      (Duration.seconds(-1), Duration.seconds(1), Duration.zero),
      (.seconds(1), .seconds(-1), .zero),
      (.seconds(2), .seconds(1), .seconds(1)),
      (.zero, .seconds(1), .zero),
      (.seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.max)),
      (.seconds(Int64.max - 1), .seconds(Int64.max), .seconds(Int64.max)),
    ])
  func edges(first: Duration, longest: Duration, expected: Duration) {
    #expect(DoublingDelay.wait(after: 90, first: first, longest: longest) == expected)
  }
}
