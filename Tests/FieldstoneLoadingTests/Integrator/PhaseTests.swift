import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Observation
import Testing

@Suite("The phase of an integrator")
@MainActor
struct PhaseTests {
  let provider = HandProvider<Int, Int>()

  private func integrator() -> Integrator<Int, Int> {
    Integrator(provider: provider, errorHandlers: ErrorHandlers())
  }

  @Test("It goes from idle to loading to loaded, and keeps the value while it reloads and fails")
  func phases() async {
    let integrator = integrator()
    #expect(integrator.phase.text == "idle")
    var call = integrator.call(1).start()
    #expect(integrator.phase.text == "loading")
    await provider.load(0).succeed(10)
    _ = await call.outcome
    #expect(integrator.phase.text == "loaded 10")
    call = integrator.call(1).start()
    #expect(integrator.phase.text == "loading 10")
    await provider.load(1).fail(Trouble(number: 1))
    _ = await call.outcome
    #expect(integrator.phase.text == "failed 1 10")
    call = integrator.call(1).start()
    #expect(integrator.phase.text == "loading 10")
    await provider.load(2).succeed(11)
    _ = await call.outcome
    #expect(integrator.phase.text == "loaded 11")
  }

  @Test("A failure without a value before shows just the error")
  func failedAtOnce() async {
    let integrator = integrator()
    let call = integrator.call(1).start()
    await provider.load(0).fail(Trouble(number: 4))
    _ = await call.outcome
    #expect(integrator.phase.text == "failed 4")
    #expect(integrator.phase.error as? Trouble == Trouble(number: 4))
    #expect(integrator.phase.value == nil && !integrator.phase.isLoading)
  }

  @Test("A cancellation leaves it as it was: idle, loaded or failed", arguments: 0..<3)
  func cancelled(kind: Int) async {
    let integrator = integrator()
    if kind > 0 {
      let call = integrator.call(1).start()
      await provider.load(0).succeed(10)
      _ = await call.outcome
    }
    if kind > 1 {
      let call = integrator.call(1).start()
      await provider.load(1).fail(Trouble(number: 1))
      _ = await call.outcome
    }
    let before = integrator.phase.text
    let call = integrator.call(1).start()
    #expect(integrator.phase.isLoading)
    call.cancel()
    #expect(integrator.phase.text == before)
  }

  @Test("A provider that cancels itself is no failure")
  func providerCancels() async {
    let integrator = integrator()
    let call = integrator.call(1).start()
    await provider.load(0).fail(CancellationError())
    #expect(await call.outcome.text == "cancelled caller")
    #expect(integrator.phase.text == "idle")
  }

  @Test("An early value is shown, stays when the load fails, and clears no earlier error")
  func early() async {
    let integrator = integrator()
    var call = integrator.call(1).start()
    await provider.load(0).events.early(5)
    await turnOfTheMainActor()
    #expect(integrator.phase.text == "loading 5")
    await provider.load(0).fail(Trouble(number: 1))
    _ = await call.outcome
    #expect(integrator.phase.text == "failed 1 5")
    call = integrator.call(1).start()
    await provider.load(1).events.early(6)
    await turnOfTheMainActor()
    call.cancel()
    #expect(integrator.phase.text == "failed 1 6")
  }

  private func follow(_ integrator: Integrator<Int, Int>, _ log: Recorder<String>) {
    withObservationTracking {
      log.record(integrator.phase.text)
    } onChange: { [weak integrator] in
      Task { @MainActor in
        if let integrator { follow(integrator, log) }
      }
    }
  }

  @Test("It is heard by whoever tracks it, in order, and the handlers see it changed")
  func observable() async {
    let integrator = integrator()
    let log = Recorder<String>()
    follow(integrator, log)
    let call = integrator.call(1)
      .onSuccess { _ in log.record("handler sees \(integrator.phase.text)") }
      .start()
    await log.elements(atLeast: 2)
    await provider.load(0).succeed(3)
    _ = await call.outcome
    #expect(
      await log.elements(atLeast: 4) == ["idle", "loading", "handler sees loaded 3", "loaded 3"])
  }

  @Test("Whoever follows it may use the integrator as they are told")
  func observerActs() async {
    let integrator = integrator()
    let first = integrator.call(1).start()
    _ = await provider.load(0)
    withObservationTracking {
      _ = integrator.phase
    } onChange: { [unowned integrator] in
      MainActor.assumeIsolated {
        integrator.cancelAll()
        integrator.receive(3)
        _ = integrator.phase
      }
    }
    first.cancel()
    #expect(first.currentOutcome?.text == "cancelled caller")
    #expect(integrator.phase.text == "loaded 3")
  }

  @Test("The outcome of a call is heard by whoever tracks it")
  func observableOutcome() async {
    let integrator = integrator()
    let call = integrator.call(1).start()
    let log = Recorder<String>()
    withObservationTracking {
      #expect(call.currentOutcome == nil)
    } onChange: {
      log.record("changed")
    }
    await provider.load(0).succeed(1)
    #expect(await log.elements(atLeast: 1) == ["changed"])
    #expect(call.currentOutcome?.text == "success 1")
  }
}
