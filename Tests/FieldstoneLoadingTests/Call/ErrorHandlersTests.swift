import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

@Suite("Shared error handlers")
@MainActor
struct ErrorHandlersTests {
  struct Other: Error {}

  let handlers = ErrorHandlers()
  let log = Recorder<String>()

  private func note(_ text: String, _ disposition: ErrorDisposition = .passedOn)
    -> @MainActor (any Error) -> ErrorDisposition
  {
    { [log] _ in
      log.record(text)
      return disposition
    }
  }

  @Test("The highest priority is asked first, and among equals who came first")
  func order() {
    let registrations = [
      handlers.add(priority: 0, note("a")), handlers.add(priority: 5, note("b")),
      handlers.add(priority: -1, note("c")), handlers.add(priority: 5, note("d")),
    ]
    #expect(handlers.handle(Trouble()) == .passedOn)
    #expect(log.elements == ["b", "d", "a", "c"])
    _ = registrations
  }

  @Test("A handler hears errors of its type only, and who has handled one is the last to hear")
  func types() {
    let log = log
    let registrations = [
      handlers.add(for: Trouble.self, priority: 3) { trouble in
        log.record("trouble \(trouble.number)")
        return trouble.number == 1 ? .handled : .passedOn
      },
      handlers.add(for: Other.self, priority: 2) { _ in
        log.record("other")
        return .handled
      },
      handlers.add(note("any")),
    ]
    #expect(handlers.handle(Trouble(number: 1)) == .handled)
    #expect(handlers.handle(Trouble(number: 2)) == .passedOn)
    #expect(handlers.handle(Other()) == .handled)
    #expect(log.elements == ["trouble 1", "trouble 2", "any", "other"])
    _ = registrations
  }

  @Test("One that was unregistered is not asked, also not when that happens meanwhile")
  func unregistering() {
    let log = log
    let last = handlers.add(note("last"))
    let dropped = handlers.add(priority: 1, note("dropped"))
    dropped.cancel()
    let first = handlers.add(priority: 2) { _ in
      log.record("first")
      last.cancel()
      return .passedOn
    }
    handlers.handle(Trouble())
    #expect(log.elements == ["first"])
    _ = first
  }

  @MainActor
  private final class Session {
    var token: Registration?
  }

  @Test("One that was unregistered is released with the next error, and its token does not keep it")
  func released() {
    weak var released: Session?
    do {
      let session = Session()
      released = session
      session.token = handlers.add { _ in
        withExtendedLifetime(session) {}
        return .passedOn
      }
      session.token?.cancel()
    }
    #expect(released != nil)
    handlers.handle(Trouble())
    #expect(released == nil)
  }

  @Test("One that is added meanwhile hears the next error")
  func addingMeanwhile() {
    let (log, handlers) = (log, handlers)
    let added = Locked<[Registration]>([])
    let first = handlers.add { [unowned handlers] _ in
      let registration = handlers.add(priority: -1) { _ in
        log.record("added")
        return .handled
      }
      added.withLock { $0.append(registration) }
      return .passedOn
    }
    handlers.handle(Trouble())
    #expect(log.elements == [])
    handlers.handle(Trouble())
    #expect(log.elements == ["added"])
    _ = first
  }

  @Test("They hear of failures after the call's own handlers, before its completion")
  func calls() async {
    let registration = handlers.add(note("shared"))
    let integrator = Integrator(provider: Failing(), errorHandlers: handlers)
    _ = await integrator.call(1).recording(in: log).start().outcome
    #expect(
      await log.elements(atLeast: 4) == ["beginning", "error 1", "shared", "completion failure 1"])
    _ = registration
  }

  @Test("They hear of no success, no cancellation, and of no call that keeps its errors")
  func notAsked() async {
    let registration = handlers.add(note("shared"))
    let good = Integrator(provider: Doubling(), errorHandlers: handlers)
    _ = await good.call(1).start().outcome
    good.call(2).start().cancel()
    let bad = Integrator(provider: Failing(), errorHandlers: handlers)
    let log = log
    _ = await bad.call(1).withoutSharedErrorHandlers()
      .onCompletion { _ in log.record("end") }.start().outcome
    #expect(await log.elements(atLeast: 1) == ["end"])
    _ = registration
  }

  @Test("Integrators that were not given any share those of the app")
  func shared() async {
    struct OnlyHere: Error {}
    struct FailingHere: DataProvider {
      @concurrent
      func load(_ number: Int, reporting events: LoadEvents<Int>) async throws -> Int {
        throw OnlyHere()
      }
    }
    let log = log
    let registration = ErrorHandlers.shared.add(for: OnlyHere.self) { _ in
      log.record("shared")
      return .handled
    }
    let integrators = (0..<2).map { _ in Integrator(provider: FailingHere()) }
    for integrator in integrators { integrator.call(1).start() }
    #expect(await log.elements(atLeast: 2) == ["shared", "shared"])
    _ = registration
  }
}
