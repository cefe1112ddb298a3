import AsyncAlgorithms
import Dispatch
import Fieldstone
import Foundation
import Harness
import OpenCombine

private let count = 1_000_000

/// What peers get that need a microsecond and more for each stage; figures are per stage.
private let fewer = 100_000

private let seed: UInt64 = 0x9E37_79B9_7F4A_7C15

/// Flows of trivial stages: what the engine itself costs.
let stages = Area("stages") {
  Group("stages-sync", floor: "bare while/switch") {
    Case("bare while/switch", operations: count) {
      blackHole(Walk.bareLoop(from: opaque(.left(seed, remaining: count))))
    }
    Case(
      "fieldstone SynchronousStage, synchronous caller", operations: count, goals: [.atMost(3)]
    ) {
      blackHole(try opaque(Walk.left(seed, remaining: count)).execute())
    }
    Case(
      "fieldstone SynchronousStage, asynchronous caller", operations: count, goals: [.atMost(3)]
    ) {
      blackHole(try await opaque(Walk.left(seed, remaining: count)).execute())
    }
    Case("sequence(first:next:)", operations: count) {
      let first = opaque(Walk.left(seed, remaining: count))
      let walk = sequence(first: first) { $0.remaining > 0 ? $0.advanced : nil }
      var last = first
      for stage in walk { last = stage }
      blackHole(last)
    }
    Case("OpenCombine scan over a sequence", operations: fewer) {
      let first = opaque(Walk.left(seed, remaining: fewer))
      let subscription = (0..<fewer).publisher
        .scan(first) { stage, _ in stage.advanced }
        .last()
        .sink { blackHole($0) }
      subscription.cancel()
    }
  }

  Group("stages-async", floor: "bare loop awaiting a function") {
    Case("bare loop awaiting a function", operations: count) {
      blackHole(await AsynchronousWalk.bareLoop(from: opaque(.left(seed, remaining: count))))
    }
    Case("fieldstone Stage", operations: count, goals: [.atMost(2)]) {
      blackHole(try await opaque(AsynchronousWalk.left(seed, remaining: count)).execute())
    }
    Case("fieldstone Stage, observed", operations: count, goals: [.atMost(2)]) {
      let observer = Counter()
      let options = ExecutionOptions<AsynchronousWalk>(beforeStage: { _ in observer.count() })
      blackHole(
        try await opaque(AsynchronousWalk.left(seed, remaining: count)).execute(options: options))
      blackHole(observer.total)
    }
    Case("fieldstone Stage, through its stages", operations: count, goals: [.atMost(5)]) {
      var last: AsynchronousWalk?
      for try await stage in opaque(AsynchronousWalk.left(seed, remaining: count)).stages {
        last = stage
      }
      blackHole(last)
    }
    Case("AsyncAlgorithms reductions over a sequence", operations: fewer) {
      let first = opaque(Walk.left(seed, remaining: fewer))
      var last = first
      for await stage in (0..<fewer).async.reductions(first, { stage, _ in stage.advanced }) {
        last = stage
      }
      blackHole(last)
    }
    Case("AsyncStream fed with the next stage", operations: fewer) {
      let (stream, continuation) = AsyncStream.makeStream(of: Walk.self)
      continuation.yield(opaque(Walk.left(seed, remaining: fewer)))
      for await stage in stream {
        guard stage.remaining > 0 else { break }
        continuation.yield(stage.advanced)
      }
    }
    Case("Task awaited for each stage", operations: fewer) {
      var stage = opaque(Walk.left(seed, remaining: fewer))
      while stage.remaining > 0 { stage = await Task { [stage] in stage.advanced }.value }
      blackHole(stage)
    }
    Case("DispatchQueue.async for each stage", operations: fewer) {
      let queue = DispatchQueue(label: "stages")
      await withCheckedContinuation { continuation in
        enqueue(opaque(.left(seed, remaining: fewer)), on: queue) { continuation.resume() }
      }
    }
    Case("Foundation OperationQueue, one operation for each stage", operations: fewer) {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      await withCheckedContinuation { continuation in
        enqueue(opaque(.left(seed, remaining: fewer)), on: queue) { continuation.resume() }
      }
    }
  }
}

private func enqueue(
  _ stage: Walk, on queue: DispatchQueue, whenDone: @escaping @Sendable () -> Void
) {
  queue.async {
    guard stage.remaining > 0 else { return whenDone() }
    enqueue(stage.advanced, on: queue, whenDone: whenDone)
  }
}

private func enqueue(
  _ stage: Walk, on queue: OperationQueue, whenDone: @escaping @Sendable () -> Void
) {
  queue.addOperation {
    guard stage.remaining > 0 else { return whenDone() }
    enqueue(stage.advanced, on: queue, whenDone: whenDone)
  }
}
