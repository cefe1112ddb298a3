import FieldstoneCore
import FieldstoneDurable
import FieldstoneTesting
import Foundation
import Testing

@Suite("What a worker claims at a time", .timeLimit(.minutes(20)))
struct ClaimBatchTests {
  /// One thread, on which everything runs but claims and renewals.
  let executor = QueueExecutor("stages")
  let claims = QueueExecutor("claims")
  let shop = Workshop()

  @Test("It holds one batch at most while the work of a run has not begun")
  func batch() async throws {
    let batch = max(16, 2 * ProcessInfo.processInfo.activeProcessorCount)
    let count = 2 * batch + 8
    let goesOn = DispatchSemaphore(value: 0)
    let begun = Recorder<String>()
    var options = shop.options()
    options.executor = executor
    options.renewalExecutor = claims
    let runner = try shop.runner(options: options, flow: .init(maxConcurrent: count)) { stage, _ in
      begun.record(stage.name)
      block(on: goesOn)
      return .complete(stage.name)
    }
    var runs: [RunHandle<String>] = []
    for number in 0..<count { runs.append(try await runner.start(Scripted("\(number)"))) }
    try await working(runner) { [runs] in
      // Whatever fails here, the threads must not stay blocked.
      defer { for _ in 0..<count { goesOn.signal() } }
      await begun.elements(atLeast: 1)
      // A claim that was asked for before that work began has been made.
      claims.drain()
      let held = try await shop.memory.runs(RunQuery(states: [.running], limit: 1_000)).runs
      #expect((1...batch).contains(held.count))
      for _ in 0..<count { goesOn.signal() }
      for run in runs { _ = try await run.value }
      #expect(begun.count == count)
    }
  }
}

/// Blocks the thread, as a stage must not.
private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }
