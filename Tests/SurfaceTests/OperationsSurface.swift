import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A synchronous operation as an app declares it.
private final class Adding: StatefulOperation<Int>, @unchecked Sendable {
  private let numbers: [Int]

  init(_ numbers: Int...) {
    self.numbers = numbers
    super.init()
  }

  override func run() throws -> Int {
    if numbers.isEmpty { throw MessageError("There is nothing to add.") }
    return numbers.reduce(0, +)
  }
}

/// An asynchronous operation.
private final class Waiting: StatefulOperation<String>, @unchecked Sendable {
  override func run() async throws -> String { "waited" }
}

/// An operation of a callback API; the seed's template.
private final class Picking: StatefulOperation<String>, @unchecked Sendable {
  let cancelled = Recorder<Bool>()

  override func main() {
    if isCancelled { return }
    finish(.success("a photo"))
  }

  override func onCancel() { cancelled.record(true) }
}

/// An operation without output, with a shared error handler.
private class Saving: StatefulOperation<Void>, @unchecked Sendable {
  let shown = Recorder<String>()

  override var defaultErrorHandler: (@MainActor (any Error) -> Void)? {
    { [shown] error in shown.record(error.localizedDescription) }
  }

  override func main() { finish() }
}

private final class SavingNowhere: Saving, @unchecked Sendable {
  override func main() { finish(.failure(MessageError("There is no disk."))) }
}

@Suite("The surface of operations")
struct OperationsSurface {
  private let queue = OperationQueue()

  private func add(_ operations: Operation...) {
    for operation in operations { queue.addOperation(operation) }
  }

  @Test("Operations of each kind run in a queue, and are awaited")
  func kinds() async throws {
    let (adding, waiting, picking, saving) = (Adding(1, 2), Waiting(), Picking(), Saving())
    add(adding, waiting, picking, saving)
    #expect(try await adding.value == 3)
    #expect(try await waiting.value == "waited")
    #expect(await picking.outcome.value == "a photo")
    try await saving.value
    #expect(adding.currentOutcome?.value == 3 && !picking.finish(.success("late")))
    let block = StatefulBlockOperation { 7 }
    let later = StatefulBlockOperation { () async throws -> Int in 8 }
    add(block, later)
    #expect(try await block.value + later.value == 15)
  }

  @Test("Handlers hear in order, where they are told to")
  @MainActor func handlers() async {
    let (log, places) = (Recorder<String>(), DispatchQueue(label: "places"))
    let adding = Adding(1)
      .onStart { log.record("start") }
      .onReturn { log.record("return") }
      .onSuccess { log.record("success \($0)") }
      .onFail { _ in log.record("fail") }
      .onFinish { _ in log.record("finish") }
    queue.addOperation(adding)
    _ = await adding.outcome
    #expect(log.elements == ["start", "return", "success 1", "finish"])

    let elsewhere = Recorder<String>()
    let failing = Adding()
      .onStart(on: .anywhere) { elsewhere.record("start") }
      .onReturn(on: .anywhere) { elsewhere.record("return") }
      .onSuccess(on: .queue(places)) { _ in elsewhere.record("success") }
      .onFail(on: .queue(places)) { elsewhere.record($0.localizedDescription) }
      .onFinish(on: .queue(places)) { _ in elsewhere.record("finish") }
    queue.addOperation(failing)
    _ = await failing.outcome
    #expect(elsewhere.elements == ["start", "return", "There is nothing to add.", "finish"])
  }

  @Test("A base class serves the errors of all under it, and a failed dependency can stop others")
  func errors() async {
    let saving = SavingNowhere()
    let after = Adding(1)
    after.stopsWhenDependencyFails = true
    after.addDependency(saving)
    add(saving, after)
    #expect(await saving.outcome.error is MessageError)
    guard case StatefulOperationError.dependencyFailed(let error)? = await after.outcome.error
    else {
      Issue.record("It ran.")
      return
    }
    #expect(error is MessageError && saving.shown.elements == ["There is no disk."])
    let nothing = StatefulOperation<Int>()
    queue.addOperation(nothing)
    #expect(await nothing.outcome.error is StatefulOperationError)
  }

  @Test("Operations are chained, made of providers, and cancelled")
  func chained() async throws {
    let chain = Adding(1, 2).then(unless: { $0 > 9 ? "\($0)" : nil }) { sum in
      StatefulBlockOperation { "sum \(sum)" }
    }.then { text in StatefulBlockOperation { text.count } }
    let load = ProviderOperation(ValueProvider<Int, String>("loaded"), 1)
    add(chain, load)
    #expect(try await chain.value == 5)
    #expect(try await load.value == "loaded")
    let picking = Picking()
    picking.cancel()
    queue.addOperation(picking)
    guard case .cancelled(.caller) = await picking.outcome else {
      Issue.record("It ran.")
      return
    }
    _ = URLOperation<String>.self
  }
}
