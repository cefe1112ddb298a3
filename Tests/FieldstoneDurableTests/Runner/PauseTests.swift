import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("Paused runs", .timeLimit(.minutes(20)))
struct PauseTests {
  private let shop = Workshop()

  @Test("A stage under way goes on to its checkpoint, and the next begins once the run goes on")
  func underWay() async throws {
    let (begun, gate) = (Gate(), Gate())
    let runner = try shop.runner { stage, context in
      if context.sequence == 1 { return .complete("done") }
      begun.open()
      await gate.wait()
      return .advance(to: Scripted("b"))
    }
    let run = try await runner.start(
      Scripted("a"), options: RunOptions(concurrencyKey: "customer"))
    try await working(runner) {
      await begun.wait()
      try await runner.pause(.concurrencyKey("customer", flow: "scripted"))
      gate.open()
      await shop.event { $0.kind == .paused }
      let record = try await run.record
      #expect(record.state == .ready)
      #expect(record.sequence == 1)
      #expect(record.attempts == 0)
      let wasPaused = try await runner.resume(.concurrencyKey("customer", flow: "scripted"))
      #expect(wasPaused)
      let value = try await run.value
      #expect(value == "done")
    }
    #expect(try await runner.pauses() == [])
  }

  @Test("A pause that ends by itself lets its runs go on at that time, before the next poll")
  func until() async throws {
    let runner = try shop.runner { _, _ in .complete("done") }
    try await runner.pause(.flow("scripted"), until: shop.time.source.now + 0.125)
    let run = try await runner.start(Scripted("a"))
    try await working(runner) {
      await shop.deadline(at: 1_000.125001)
      #expect(try await run.record.state == .ready)
      shop.time.advance(by: .milliseconds(126))
      let value = try await run.value
      #expect(value == "done")
    }
    #expect(try await runner.pauses() == [])
  }
}
