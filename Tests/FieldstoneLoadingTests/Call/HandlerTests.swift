import Dispatch
import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Handlers of a call")
@MainActor
struct HandlerTests {
  let log = Recorder<String>()

  @Test("They hear beginning, progress, early values, success and completion, in order")
  func order() async {
    let provider = HandProvider<String, Int>()
    let integrator = Integrator(provider: provider)
    let call = integrator.call("a").recording(in: log).start()
    let load = await provider.load(0)
    load.events.progress(.indeterminate)
    load.events.early(1)
    load.events.progress(.fraction(0.5))
    load.succeed(2)
    #expect(await call.outcome.value == 2)
    await log.elements(atLeast: 6)
    load.events.progress(.fraction(1))
    load.events.early(3)
    await turnOfTheMainActor()
    #expect(
      log.elements == [
        "beginning", "progress indeterminate", "early 1", "progress fraction(0.5)", "success 2",
        "completion success 2",
      ])
  }

  @Test("A failure is heard as error, then as completion")
  func failure() async {
    let integrator = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    let call = integrator.call(7).recording(in: log).start()
    #expect(await call.outcome.text == "failure 7")
    #expect(await log.elements(atLeast: 3) == ["beginning", "error 7", "completion failure 7"])
  }

  @Test("A cancellation is heard as completion only, after cancel() has returned")
  func cancellation() async {
    let provider = HandProvider<String, Int>()
    let integrator = Integrator(provider: provider)
    let call = integrator.call("a").recording(in: log).start()
    _ = await provider.load(0)
    await log.elements(atLeast: 1)
    call.cancel()
    call.cancel()
    log.record("returned")
    #expect(call.currentOutcome?.cancellation == .caller)
    #expect(
      await log.elements(atLeast: 3) == ["beginning", "returned", "completion cancelled caller"])
  }

  @Test("None is called before start() has returned, also of a call that ends at once")
  func neverBeforeStartReturned() async {
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider, policy: .only(.reject))
    let first = integrator.call(1).recording(in: log, as: "first").start()
    log.record("first started")
    let second = integrator.call(2).recording(in: log, as: "second").start()
    log.record("second started")
    #expect(second.currentOutcome?.cancellation == .busy)
    await provider.load(0).succeed(1)
    _ = await first.outcome
    #expect(
      await log.elements(atLeast: 6) == [
        "first started", "second started", "first beginning",
        "second completion cancelled busy", "first success 1", "first completion success 1",
      ])
  }

  @Test("All run on the main actor, and the load and the model are made off it")
  func places() async throws {
    struct Placed: DataModel {
      let wasOnMain: Bool
      init(source: Int) { wasOnMain = MainDispatch.isOnMain }
    }
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider, model: Placed.self)
    let places = Recorder<Bool>()
    let note: @MainActor () -> Void = { places.record(MainDispatch.isOnMain) }
    let earlyPlaces = Recorder<Bool>()
    let call = integrator.call(1)
      .onBeginning { note() }.onProgress { _ in note() }
      .onEarlyValue { model in
        note()
        earlyPlaces.record(model.wasOnMain)
      }
      .onSuccess { _ in note() }.onCompletion { _ in note() }
      .start()
    let load = await provider.load(0)
    #expect(!load.wasOnMain)
    // Reported on the main actor, as a callback API may do.
    load.events.progress(.indeterminate)
    load.events.early(1)
    load.events.early(2)
    #expect(await earlyPlaces.elements(atLeast: 2) == [false, false])
    load.succeed(1)
    #expect(try await call.value.wasOnMain == false)
    #expect(await places.elements(atLeast: 6) == [true, true, true, true, true, true])
  }

  @Test("Those of the integrator run before those of the call, and besides them")
  func defaults() async {
    let integrator = Integrator(provider: Doubling())
    integrator.defaultHandlers = CallHandlers().recording(in: log, as: "default")
    let call = integrator.call(1).recording(in: log, as: "call").start()
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 6) == [
        "default beginning", "call beginning", "default success 2", "call success 2",
        "default completion success 2", "call completion success 2",
      ])
  }

  @Test("Several for one thing run in the order in which they were given")
  func several() async {
    let log = log
    let integrator = Integrator(provider: Doubling())
    integrator.call(1)
      .onCompletion { _ in log.record("1") }
      .onSuccess { _ in log.record("success") }
      .onCompletion { _ in log.record("2") }
      .start()
    #expect(await log.elements(atLeast: 3) == ["success", "1", "2"])
  }

  @MainActor
  final class Presenter: ValueReceiver, ErrorReceiver {
    let log: Recorder<String>
    init(_ log: Recorder<String>) { self.log = log }
    func receive(_ value: Int) { log.record("value \(value)") }
    func receive(error: any Error) { log.record("error") }
  }

  @Test("An owner is held weakly: while it lives it hears everything")
  func owner() async {
    let owner = Presenter(log)
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider, errorHandlers: ErrorHandlers())
    let call = owned(integrator.call(1), by: owner)
      .retry(RetryPolicy(maximumAttempts: 2, baseDelay: .zero))
      .start()
    await provider.load(0).fail(Trouble())
    let load = await provider.load(1)
    load.events.progress(.fraction(1))
    load.events.early(4)
    load.succeed(5)
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 6) == [
        "beginning", "retry 2", "progress fraction(1.0)", "early 4", "success 5",
        "completion success 5",
      ])
    let failing = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    log.removeAll()
    owned(failing.call(3), by: owner).start()
    #expect(
      await log.elements(atLeast: 3) == ["beginning", "error 3", "completion failure 3"])
  }

  private func owned(_ builder: CallBuilder<Int>, by owner: Presenter) -> CallBuilder<Int> {
    builder
      .onBeginning(owner: owner) { $0.log.record("beginning") }
      .onProgress(owner: owner) { $0.log.record("progress \($1)") }
      .onEarlyValue(owner: owner) { $0.log.record("early \($1)") }
      .onRetry(owner: owner) { $0.log.record("retry \($1.attempt)") }
      .onSuccess(owner: owner) { $0.log.record("success \($1)") }
      .onError(owner: owner) { $0.log.record("error \(($1 as? Trouble)?.number ?? -1)") }
      .onCompletion(owner: owner) { $0.log.record("completion \($1.text)") }
  }

  @Test("An owner that is gone hears nothing, and the call still ends")
  func ownerIsGone() async {
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider)
    let log = log
    weak var watched: Presenter?
    let call: Call<Int>
    do {
      let presenter = Presenter(log)
      watched = presenter
      call = integrator.call(1)
        .onSuccess(owner: presenter) { $0.receive($1) }
        .onCompletion(owner: presenter) { owner, _ in owner.log.record("completion") }
        .forwardSuccess(to: presenter)
        .forwardError(to: presenter)
        .onCompletion { _ in log.record("end") }
        .start()
    }
    #expect(watched == nil)
    await provider.load(0).succeed(1)
    _ = await call.outcome
    #expect(await log.elements(atLeast: 1) == ["end"])
  }

  @Test("Values and errors are forwarded to receivers, and to another integrator")
  func forwarding() async {
    let presenter = Presenter(log)
    let shown = Integrator(provider: HandProvider<Int, Int>())
    let good = Integrator(provider: Doubling())
    _ = await good.call(2).forwardSuccess(to: presenter).forwardSuccess(to: shown)
      .forwardError(to: presenter).start().outcome
    #expect(await log.elements(atLeast: 1) == ["value 4"])
    #expect(shown.phase.text == "loaded 4")
    let bad = Integrator(provider: Failing(), errorHandlers: ErrorHandlers())
    _ = await bad.call(2).forwardSuccess(to: presenter).forwardError(to: presenter).start().outcome
    #expect(await log.elements(atLeast: 2) == ["value 4", "error"])
  }

  @Test("From within a handler it is legal to start, cancel, read and change")
  func reentrancy() async {
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider)
    let log = log
    let other = integrator.call(2).recording(in: log, as: "other").start()
    let call = integrator.call(1)
      .onSuccess { value in
        integrator.update { $0 += 1 }
        other.cancel()
        integrator.cancelAll()
        log.record("success \(integrator.phase.text)")
        integrator.call(3).recording(in: log, as: "third").start()
        log.record("started")
      }
      .onCompletion { log.record("completion \($0.text)") }
      .start()
    let loads = [await provider.load(0), await provider.load(1)]
    await log.elements(atLeast: 1)
    loads.first { $0.parameters == 1 }?.succeed(10)
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 6) == [
        "other beginning", "success loaded 11", "started", "completion success 10",
        "other completion cancelled caller", "third beginning",
      ])
  }

  /// A model whose first one is made only once somebody allows it.
  struct Slow: DataModel {
    static let mayBeMade = DispatchSemaphore(value: 0)
    let number: Int

    init(source: Int) {
      if source == 1 { Self.mayBeMade.wait() }
      number = source
    }
  }

  @Test("Early models keep the order of their reports, on the main actor and off it")
  func earlyModels() async throws {
    let provider = ClosureProvider { [log] (number: Int, events: LoadEvents<Int>) in
      await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          events.early(1)
          DispatchQueue.global().async {
            events.early(2)
            Slow.mayBeMade.signal()
            continuation.resume()
          }
        }
      }
      // A model that is being made when the load ends would be late.
      while log.count < 2 { await Task.yield() }
      return number
    }
    let integrator = Integrator(provider: provider, model: Slow.self)
    let call = integrator.call(3).onEarlyValue { [log] in log.record("\($0.number)") }.start()
    #expect(try await call.value.number == 3)
    #expect(log.elements == ["1", "2"])
  }

  @Test("A handler that starts a call that ends at once, again and again, leaves others their turn")
  func restarts() async {
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider, policy: .only(.reject))
    let first = integrator.call(1).start()
    var (refusals, last) = (0, "")
    @MainActor func again() {
      integrator.call(2).onCompletion { outcome in
        guard outcome.cancellation == .busy else { return last = outcome.text }
        refusals += 1
        again()
      }.start()
    }
    again()
    await provider.load(0).succeed(10)
    #expect(await first.outcome.text == "success 10")
    await provider.load(1).succeed(20)
    while last.isEmpty { await Task.yield() }
    #expect(last == "success 20" && refusals > 0)
  }

  @Test("More than 64 reports while the main actor is busy leave the newest progress")
  func flood() async {
    let provider = HandProvider<Int, Int>()
    let integrator = Integrator(provider: provider)
    let heard = Recorder<LoadProgress>()
    let call = integrator.call(1).onProgress { heard.record($0) }.start()
    let load = await provider.load(0)
    // The main actor is busy with this very loop.
    for number in 1...1_000 { load.events.progress(.fraction(Double(number) / 1_000)) }
    load.succeed(1)
    _ = await call.outcome
    await turnOfTheMainActor()
    #expect(heard.count == 64)
    #expect(heard.elements.last == .fraction(1))
    #expect(heard.elements.first == .fraction(0.001))
  }

  @Test("They are released with the end of the call, though its handle and its work live on")
  func release() async {
    let provider = HandProvider<Int, Int>(heedsCancellation: false)
    let integrator = Integrator(provider: provider)
    weak var watched: Presenter?
    let call: Call<Int>
    do {
      let presenter = Presenter(log)
      watched = presenter
      call = integrator.call(1)
        .onCompletion { _ in presenter.log.record("completion") }
        .start()
    }
    let load = await provider.load(0)
    #expect(watched != nil)
    call.cancel()
    await log.elements(atLeast: 1)
    await turnOfTheMainActor()
    #expect(watched == nil)
    load.succeed(1)
  }
}

/// Lets what waits for the main actor have its turn.
@MainActor
func turnOfTheMainActor() async {
  await withCheckedContinuation { continuation in
    MainDispatch.async { continuation.resume() }
  }
}
