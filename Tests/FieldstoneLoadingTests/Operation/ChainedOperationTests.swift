import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Chained operations", .timeLimit(.minutes(20)))
struct ChainedOperationTests {
  private let queue = OperationQueue()
  private let heard = Recorder<String>()

  @Test("Each gets the output of the one before, whatever its type")
  func outputs() async throws {
    let chain = StatefulBlockOperation { 20 }
      .then { number in StatefulBlockOperation { "\(number + 1)" } }
      .then { text in
        StatefulBlockOperation {
          await Task.yield(); return [text, "end"]
        }
      }
      .recorded(by: heard)
    queue.addOperation(chain)
    #expect(try await chain.value == ["21", "end"])
    #expect(
      heard.elements == ["start", "return", #"success ["21", "end"]"#, "finish success"])
  }

  @Test("The links tell their own handlers, in order")
  func handlers() async {
    let heard = heard
    let chain = StatefulBlockOperation { 1 }.onFinish { heard.record("first \($0.value ?? 0)") }
      .then { number in
        StatefulBlockOperation { number + 1 }.onFinish { heard.record("second \($0.value ?? 0)") }
      }
      .onFinish { heard.record("chain \($0.value ?? 0)") }
    queue.addOperation(chain)
    _ = await chain.outcome
    #expect(heard.elements == ["first 1", "second 2", "chain 2"])
  }

  @Test("In a queue of one at a time it does not stand in its own way")
  func serialQueue() async throws {
    queue.maxConcurrentOperationCount = 1
    let chain = StatefulBlockOperation { 1 }.then { number in StatefulBlockOperation { number } }
    queue.addOperation(chain)
    #expect(try await chain.value == 1)
  }

  @Test("A link that fails, or can't be made, ends the chain; no further one is made")
  func failures() async {
    let heard = heard
    let failing = StatefulBlockOperation { 1 }
      .then { _ in StatefulBlockOperation { () throws -> Int in throw Failure.broken } }
      .then { number in
        heard.record("made")
        return StatefulBlockOperation { number }
      }
    queue.addOperation(failing)
    #expect(await failing.outcome.error as? Failure == .broken)

    let unmade = StatefulBlockOperation { 1 }
      .then { _ -> StatefulOperation<Int> in throw Failure.other(2) }
    queue.addOperation(unmade)
    #expect(await unmade.outcome.error as? Failure == .other(2))
    #expect(heard.elements == [])
  }

  @Test("A validator can spare the next link, or fail the chain")
  func sparing() async throws {
    func chain(_ number: Int) -> StatefulOperation<String> {
      StatefulBlockOperation { number }.then(
        unless: { number in
          if number < 0 { throw Failure.broken }
          return number == 0 ? "spared" : nil
        }, { number in StatefulBlockOperation { "made of \(number)" } })
    }
    let chains = [chain(0), chain(1), chain(-1)]
    queue.add(chains)
    #expect(try await chains[0].value == "spared")
    #expect(try await chains[1].value == "made of 1")
    #expect(await chains[2].outcome.error as? Failure == .broken)
  }

  @Test("Cancelling the chain cancels the link under way and makes no other")
  func cancelled() async {
    let heard = heard
    let link = HandOperation()
    let chain = StatefulBlockOperation { 1 }
      .then { _ in link }
      .then { number in
        heard.record("made")
        return StatefulBlockOperation { number }
      }
    queue.addOperation(chain)
    await link.log.elements(atLeast: 1)
    chain.cancel()
    #expect(await chain.outcome.cancellation == .caller)
    #expect(await link.outcome.cancellation == .caller)
    #expect(await link.log.elements(atLeast: 2) == ["main", "cancel"])
    #expect(heard.elements == [])
  }

  @Test("A link that is cancelled cancels the chain, which has not failed")
  func cancelledLink() async {
    let link = HandOperation()
    let chain = link.then { number in StatefulBlockOperation { number } }.recorded(by: heard)
    queue.addOperation(chain)
    await link.log.elements(atLeast: 1)
    link.cancel()
    #expect(await chain.outcome.cancellation == .caller)
    #expect(heard.elements == ["start", "finish cancelled caller"])
  }

  @Test("A link that has run already is not run again")
  func started() async throws {
    let began = Recorder<String>()
    let link = SynchronousOperation(.success(3), began)
    queue.addOperation(link)
    _ = await link.outcome
    let chain = link.then { _ in link }.then { number in StatefulBlockOperation { number + 1 } }
    queue.addOperation(chain)
    #expect(try await chain.value == 4)
    #expect(began.count == 1)
  }

  @Test("A link that was finished before its start is not run", arguments: [false, true])
  func finishedEarly(isFirst: Bool) async throws {
    let (good, bad) = (HandOperation(), HandOperation())
    good.finish(.success(3))
    bad.finish(.failure(Failure.broken))
    let chains = [good, bad].map { link -> StatefulOperation<Int> in
      let start = isFirst ? link : StatefulBlockOperation { 0 }.then { _ in link }
      return start.then { number in StatefulBlockOperation { number + 1 } }
    }
    queue.add(chains)
    #expect(try await chains[0].value == 4)
    #expect(await chains[1].outcome.error as? Failure == .broken)
    #expect(good.log.elements == [] && bad.log.elements == [])
  }

  @Test("Several chains that begin with one operation run it once")
  func severalChains() async throws {
    for _ in 0..<100 {
      let began = Recorder<String>()
      let base = SynchronousOperation(.success(1), began)
      let chains = [2, 3].map { number in
        base.then { output in StatefulBlockOperation { output + number } }
      }
      queue.add(chains)
      #expect(try await chains[0].value == 3)
      #expect(try await chains[1].value == 4)
      #expect(began.count == 1)
    }
  }

  @Test("A link that waits in a queue is left to it, and only awaited")
  func enqueued() async throws {
    let (began, asked) = (Recorder<String>(), Recorder<Int>())
    let suspended = OperationQueue()
    suspended.isSuspended = true
    let link = SynchronousOperation(.success(1), began)
    suspended.addOperation(link)
    let chain = StatefulBlockOperation { 0 }.then { number in
      asked.record(number)
      return link
    }
    queue.addOperation(chain)
    await asked.elements(atLeast: 1)
    #expect(began.count == 0)
    suspended.isSuspended = false
    #expect(try await chain.value == 1)
    #expect(began.count == 1)
  }

  @Test(
    "A link with a dependency runs after it, in a queue or not",
    arguments: [false, true], [false, true])
  func dependent(isEnqueued: Bool, isLate: Bool) async throws {
    let (began, asked) = (Recorder<String>(), Recorder<Int>())
    let dependency = HandOperation()
    let link = SynchronousOperation(.success(1), began)
    link.addDependency(dependency)
    let chain = StatefulBlockOperation { 0 }.then { number in
      asked.record(number)
      return link
    }
    queue.addOperation(dependency)
    if isEnqueued { queue.addOperation(link) }
    await dependency.log.elements(atLeast: 1)
    if isLate {
      dependency.finish(.success(0))
      _ = await dependency.outcome
      queue.addOperation(chain)
    } else {
      queue.addOperation(chain)
      await asked.elements(atLeast: 1)
      #expect(began.count == 0)
      dependency.finish(.success(0))
    }
    #expect(try await chain.value == 1)
    #expect(began.count == 1)
  }

  @Test("A long chain is released on a small stack")
  func released() async {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        var chain: StatefulOperation<Int> = StatefulBlockOperation { 0 }
        for _ in 0..<8_000 { chain = chain.then { number in StatefulBlockOperation { number } } }
        chain = StatefulBlockOperation { 1 }
        continuation.resume()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("A long chain that waits for its first link is cancelled on a small stack")
  func longCancelled() async {
    let first = HandOperation()
    var chain: StatefulOperation<Int> = first
    for _ in 0..<8_000 { chain = chain.then { number in StatefulBlockOperation { number } } }
    queue.addOperation(chain)
    await first.log.elements(atLeast: 1)
    await withCheckedContinuation { continuation in
      let thread = Thread { [chain] in
        chain.cancel()
        continuation.resume()
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(await chain.outcome.cancellation == .caller)
    #expect(await first.outcome.cancellation == .caller)
  }

  @Test("A chain that has ended retains no link", arguments: [false, true])
  func forgetful(isCancelled: Bool) async {
    weak var link: SynchronousOperation<Int>?
    let chain: StatefulOperation<Int>
    do {
      let first = SynchronousOperation(.success(1), Recorder())
      link = first
      chain = first.then { number in StatefulBlockOperation { number } }
    }
    #expect(link != nil)
    if isCancelled { chain.cancel() } else { queue.addOperation(chain) }
    _ = await chain.outcome
    await onThread { queue.waitUntilAllOperationsAreFinished() }
    #expect(link == nil)
  }
}
