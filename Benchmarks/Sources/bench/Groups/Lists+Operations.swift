import Fieldstone
import Foundation
import Harness

private let count = 100_000

/// Operations without dependencies through a queue, from being made to being finished.
let operations = Group("operations-100000", floor: "Foundation BlockOperation") {
  Case("Foundation BlockOperation", operations: count, runs: 1) {
    let tally = Counter()
    through { BlockOperation { tally.count() } }
    blackHole(tally.total)
  }
  Case("fieldstone StatefulOperation", operations: count, runs: 1, goals: [.atMost(1)]) {
    let tally = Counter()
    through { CountOperation(tally) }
    blackHole(tally.total)
  }
  Case("fieldstone StatefulBlockOperation", operations: count, runs: 1, goals: [.atMost(1)]) {
    let tally = Counter()
    through { StatefulBlockOperation { tally.count() } }
    blackHole(tally.total)
  }
  Case("fieldstone StatefulOperation, handlers anywhere", operations: count, runs: 1) {
    let tally = Counter()
    through { CountOperation(tally).onFinish(on: .anywhere) { _ in tally.count() } }
    blackHole(tally.total)
  }
  Case("fieldstone StatefulOperation, asynchronous", operations: count, runs: 1) {
    let tally = Counter()
    through { AsynchronousCountOperation(tally) }
    blackHole(tally.total)
  }
}

private func through(_ operation: () -> Operation) {
  let queue = OperationQueue()
  for _ in 0..<count { queue.addOperation(operation()) }
  queue.waitUntilAllOperationsAreFinished()
}

/// What a user writes: one overridden method.
private final class CountOperation: StatefulOperation<Void>, @unchecked Sendable {
  private let tally: Counter

  init(_ tally: Counter) {
    self.tally = tally
    super.init()
  }

  override func run() throws { tally.count() }
}

private final class AsynchronousCountOperation: StatefulOperation<Void>, @unchecked Sendable {
  private let tally: Counter

  init(_ tally: Counter) {
    self.tally = tally
    super.init()
  }

  override func run() async throws { tally.count() }
}
