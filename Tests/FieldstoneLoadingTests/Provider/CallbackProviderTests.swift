import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Testing

/// An API that calls back, driven by the test.
private final class Service: Sendable {
  let completions = Recorder<LoadCompletion<String>>()
  let events = Recorder<LoadEvents<String>>()
  let stops = Recorder<Int>()

  var provider: CallbackProvider<Int, String> {
    CallbackProvider { parameters, events, completion in
      self.events.record(events)
      self.completions.record(completion)
      return { self.stops.record(parameters) }
    }
  }

  /// Waits for the completion of the first load, and lets go of it here.
  func completion() async -> LoadCompletion<String> {
    let first = await completions.elements(atLeast: 1)[0]
    completions.removeAll()
    return first
  }
}

@Suite("Providers that call back")
struct CallbackProviderTests {
  private let service = Service()

  private func load(_ parameters: Int = 1, _ events: LoadEvents<String> = LoadEvents())
    -> Task<String, any Error>
  {
    Task { try await service.provider.load(parameters, reporting: events) }
  }

  @Test("The answer is the output, and the load is not stopped afterwards")
  func answer() async throws {
    let task = load()
    let completion = await service.completion()
    #expect(completion(.success("value")))
    #expect(try await task.value == "value")
    task.cancel()
    #expect(service.stops.count == 0)
  }

  @Test("An answer can be an error, or come as output and error")
  func answers() async throws {
    let failing = load()
    await service.completion()(.failure(Failure.broken))
    await #expect(throws: Failure.broken) { try await failing.value }

    let both = load()
    await service.completion()("value", Failure.broken)
    await #expect(throws: Failure.broken) { try await both.value }

    let output = load()
    await service.completion()("value", nil)
    #expect(try await output.value == "value")

    let neither = load()
    await service.completion()(nil, nil)
    await #expect {
      try await neither.value
    } throws: { error in
      guard case CallbackProviderError.emptyAnswer(let location) = error else { return false }
      return location.contains("CallbackProviderTests.swift")
    }
  }

  @Test("A second answer is ignored")
  func second() async throws {
    let task = load()
    let completion = await service.completion()
    #expect(completion(.success("first")))
    #expect(!completion(.success("second")))
    #expect(!completion(nil, nil))
    #expect(try await task.value == "first")
  }

  @Test("An answer may come before the load has begun to wait")
  func synchronous() async throws {
    let stops = Recorder<Int>()
    let provider = CallbackProvider { (number: Int, _, completion: LoadCompletion<Int>) in
      completion(.success(number + 1))
      return { stops.record(number) }
    }
    #expect(try await provider.load(1, reporting: LoadEvents()) == 2)
    #expect(stops.count == 0)
  }

  @Test("A completion that is dropped is an error that names the place, and no hang")
  func dropped() async {
    let task = load()
    _ = await service.completion()
    await #expect {
      try await task.value
    } throws: { error in
      guard case CallbackProviderError.completionDropped(let location) = error else { return false }
      return location.contains("CallbackProviderTests.swift")
        && !RetryPolicy.isWorthRetrying(error)
    }
    #expect(service.stops.count == 0)
  }

  @Test("Cancelling ends the load at once and stops the work once; the late answer is dropped")
  func cancelled() async {
    let task = load(7)
    let completion = await service.completion()
    task.cancel()
    #expect(service.stops.elements == [7])
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!completion(.success("late")))
    task.cancel()
    #expect(service.stops.elements == [7])
  }

  @Test("Cancelled before it began, nothing begins")
  func cancelledBefore() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await service.provider.load(1, reporting: LoadEvents())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(service.completions.count == 0)
    #expect(service.stops.count == 0)
  }

  @Test(
    "Cancelled while it begins, it is stopped as soon as that is possible", .timeLimit(.minutes(20))
  )
  func cancelledWhileBeginning() async {
    let stops = Recorder<Int>()
    let kept = Recorder<LoadCompletion<Int>>()
    let provider = CallbackProvider { (number: Int, _, completion: LoadCompletion<Int>) in
      kept.record(completion)
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(stops.count == 0)
      return { stops.record(number) }
    }
    let task = Task { try await provider.load(3, reporting: LoadEvents()) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(stops.elements == [3])
    #expect(!kept.elements[0](.success(1)))
  }

  @Test("An answer given by the stopped work itself is late")
  func answerWhileStopping() async {
    let kept = Recorder<LoadCompletion<Int>>()
    let taken = Recorder<Bool>()
    let provider = CallbackProvider { (_: Int, _, completion: LoadCompletion<Int>) in
      kept.record(completion)
      return { taken.record(completion(.failure(Failure.broken))) }
    }
    let task = Task { try await provider.load(3, reporting: LoadEvents()) }
    await kept.elements(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(taken.elements == [false])
  }

  @Test("What the beginning throws is the load's error")
  func beginningThrows() async {
    let provider = CallbackProvider { (_: Int, _, _: LoadCompletion<Int>) in throw Failure.broken }
    await #expect(throws: Failure.broken) { try await provider.load(1, reporting: LoadEvents()) }
  }

  @Test("Reports are heard until the answer")
  func reports() async throws {
    let heard = Recorder<String>()
    let task = load(1, .recording(heard))
    let completion = await service.completion()
    let events = service.events.elements[0]
    events.progress(.indeterminate)
    events.early("early")
    completion(.success("value"))
    events.early("late")
    _ = try await task.value
    #expect(heard.elements == ["indeterminate", "early"])
  }
}
