import Fieldstone
import FieldstoneTesting
import Observation
import Testing

/// The app's parts: a server, and a screen that shows its responses.
private struct Weather: DataProvider {
  @concurrent
  func load(_ place: String, reporting events: LoadEvents<Int>) async throws -> Int {
    events.progress(.indeterminate)
    events.early(0)
    if place == "nowhere" { throw MessageError("There is no weather.") }
    return place.count
  }
}

private final class Screen: ValueReceiver, ErrorReceiver {
  var log: [String] = []
  func receive(_ degrees: Int) { log.append("\(degrees)°") }
  func receive(error: any Error) { log.append((error as? MessageError)?.message ?? "another") }
}

@Suite("The surface of calls")
@MainActor
struct CallsSurface {
  private let screen = Screen()
  private let errors = ErrorHandlers()

  @Test("The builder and await are one call, heard from its beginning to its end")
  func builder() async throws {
    let weather = Integrator(provider: Weather(), errorHandlers: errors, time: .system)
    let screen = screen
    let call: Call<Int> = weather.call("Vienna")
      .onBeginning { screen.log.append("begins") }
      .onProgress { _ in }
      .onEarlyValue { screen.log.append("\($0) for now") }
      .onRetry { (upcoming: UpcomingRetry) in screen.log.append("attempt \(upcoming.attempt)") }
      .onSuccess(owner: screen) { $0.log.append("\($1) degrees") }
      .onError(owner: screen) { $0.receive(error: $1) }
      .onCompletion(owner: screen) { screen, outcome in
        screen.log.append(outcome.value == nil ? "fails" : "ends")
      }
      .forwardSuccess(to: screen)
      .retry(RetryPolicy())
      .delay(.zero)
      .start()
    #expect(call.currentOutcome == nil)
    #expect(try await call.value == 6)
    #expect(await call.outcome.value == 6)
    #expect(call.currentOutcome?.value == 6)
    #expect(screen.log == ["begins", "0 for now", "6 degrees", "6°", "ends"])
    #expect(try await weather("Rome") == 4)
    switch weather.phase {
    case .loaded(let degrees): #expect(degrees == 4)
    case .idle, .loading, .failed: Issue.record("\(weather.phase)")
    }
    call.cancel()
    weather.cancelAll()
  }

  @Test("Errors are mended, ignored, forwarded, and handled for a whole app")
  func failures() async throws {
    let weather = Integrator(provider: Weather(), errorHandlers: errors)
    let (screen, mended) = (screen, Recorder<String>())
    let registration = errors.add(for: MessageError.self, priority: 1) { error in
      screen.log.append("app: \(error.message)")
      return .handled
    }
    let last = errors.add { _ in .passedOn }
    weather.defaultHandlers = CallHandlers().forwardError(to: screen)
    _ = await weather.call("nowhere").start().outcome
    #expect(screen.log == ["There is no weather.", "app: There is no weather."])
    #expect(weather.phase.error != nil && !weather.phase.isLoading && weather.phase.value == 0)

    let recovered = weather.call("nowhere")
      .recover(limit: 2) { error in
        mended.record("\(error)")
        return mended.count == 1 ? .again : .value(-1)
      }
    #expect(try await recovered.run() == -1)
    #expect(mended.count == 2)
    let ignored = weather.call("nowhere").ignoring(MessageError.self)
      .ignoring { $0 is CallCancelled }.withoutSharedErrorHandlers()
    #expect(await ignored.start().outcome.error is MessageError)
    #expect(screen.log.count == 2 && weather.phase.value == 0)
    #expect(errors.handle(MessageError("x")) == .handled)
    withExtendedLifetime((registration, last)) {}
  }

  @Test("One call leads to the next, after whatever end")
  func chained() async {
    let weather = Integrator(provider: Weather(), errorHandlers: errors)
    let ends = Recorder<Int>()
    let second = weather.asProvider()
    let next = Integrator(provider: second, errorHandlers: errors)
    weather.call("Oslo")
      .next { next.call("\($0)").onSuccess { ends.record($0) } }
      .next(on: .completion) { _ in next.call("ab").onSuccess { ends.record($0) } }
      .next(on: .error) { _ in nil as CallBuilder<Int>? }
      .start()
    await ends.elements(atLeast: 2)
    #expect(ends.elements.sorted() == [1, 2])
  }

  @Test("Each policy is chosen by a word")
  func policies() async throws {
    struct Query: Sendable, Hashable { var text = "a" }
    let provider = Weather().convertingParameters { (query: Query) in query.text }
    let policies: [CallPolicy<Query>] = [
      .concurrent, .only(.join), .only(.reject), .queue(limit: 3), .queue(), .latest,
      .latest(debounce: .zero),
    ]
    for policy in policies {
      let weather = Integrator(provider: provider, policy: policy)
      #expect(try await weather(Query()) == 1)
    }
    // Without parameters, all calls join.
    let now = Integrator(provider: ClosureProvider { () in 7 }, policy: .only(.join))
    #expect(try await now() == 7)
    #expect(try await now.call().run() == 7)
  }

  @Test("A local change shows at once, and is confirmed or rolled back")
  func changes() async throws {
    let weather = Integrator(provider: Weather(), errorHandlers: errors)
    weather.receive(20)
    let change: LocalChange<Int> = weather.update { $0 += 1 }
    #expect(weather.phase.value == 21 && change.isPending)
    change.rollBack()
    change.confirm()
    #expect(weather.phase.value == 20)
    await weather.update {
      $0 = 5
    } while: {
    }
    #expect(weather.phase.value == 5)
  }
}
