import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Futures over callback APIs")
struct FutureTests {
  struct Trouble: Error {}

  /// An API that keeps its callback until it is told to call it.
  final class CallbackAPI: Sendable {
    private let callback = Locked<Resolver<Int>?>(nil)
    let stops = Recorder<Void>()
    let starts = Gate()

    func start(_ resolver: Resolver<Int>) {
      callback.withLock { $0 = resolver }
      resolver.onCancel { self.stops.record(()) }
      starts.open()
    }

    func answer(_ result: Result<Int, any Error>) -> FutureError? {
      guard let resolver = callback.withLock({ $0 }) else { return nil }
      return resolver(with: result)
    }

    var ignoredCount: Int? { callback.withLock { $0 }?.ignoredCount }

    func forget() {
      // Released outside the lock, as the release ends the future.
      _ = callback.withLock { $0.take() }
    }
  }

  @Test("It gives what it is resolved with")
  func resolves() async throws {
    #expect(try await future { resolve in resolve { 3 } } == 3)
    await #expect(throws: Trouble.self) {
      try await future { (resolve: Resolver<Int>) in resolve { throw Trouble() } }
    }
    await #expect(throws: Trouble.self) {
      try await future { (_: Resolver<Int>) in throw Trouble() }
    }
  }

  @Test("It is resolved later, from another thread")
  func resolvesLater() async throws {
    let value: Int = try await future { resolve in
      Thread.detachNewThread { resolve { 5 } }
    }
    #expect(value == 5)
  }

  @Test("A second answer is ignored, counted and told to whoever gave it")
  func secondAnswer() async throws {
    let api = CallbackAPI()
    let task = Task { try await future { api.start($0) } }
    await api.starts.wait()
    #expect(api.answer(.success(1)) == nil)
    let error = try #require(api.answer(.failure(Trouble())))
    #expect(api.answer(.success(3)) != nil)
    #expect(try await task.value == 1)
    #expect(api.ignoredCount == 2)
    guard case .alreadyResolved(ignored: 1, at: let location) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(location.contains("FutureTests.swift"))
    #expect(error.message.contains("Call it once"))
  }

  @Test("A dropped resolver is an error that says where, and not a hang")
  func droppedAtOnce() async throws {
    do {
      let _: Int = try await future { _ in }
      Issue.record("It must throw.")
    } catch FutureError.resolverDropped(let location) {
      #expect(location.contains("FutureTests.swift"))
      #expect(FutureError.resolverDropped(at: location).message.contains("every path"))
    }
  }

  @Test("A resolver that is dropped later ends the future then")
  func droppedLater() async {
    let api = CallbackAPI()
    let task = Task { try await future { api.start($0) } }
    await api.starts.wait()
    api.forget()
    await #expect(throws: FutureError.self) { try await task.value }
  }

  @Test("A dropped resolver is an error also if there is a closure that stops the work")
  func droppedWithStop() async {
    let stops = Recorder<Void>()
    await #expect(throws: FutureError.self) {
      try await future { (resolve: Resolver<Int>) in resolve.onCancel { stops.record(()) } }
    }
    #expect(stops.count == 0)
  }

  @Test("Cancelled, it ends at once, stops the work and drops a late answer")
  func cancelled() async {
    let api = CallbackAPI()
    let task = Task { try await future { api.start($0) } }
    await api.starts.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(api.stops.count == 1)
    #expect(api.answer(.success(1)) == nil, "a late answer is no bad use")
    #expect(api.ignoredCount == 0)
  }

  @Test("Cancelled before it began, it stops the work as soon as it has started")
  func cancelledBefore() async {
    let api = CallbackAPI()
    let gate = Gate()
    let task = Task {
      await gate.wait()
      return try await future { api.start($0) }
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(api.stops.count == 1)
  }

  @Test(
    "Cancelled before its work is begun or meanwhile, it stops the work at once",
    arguments: [true, false])
  func cancelledWithin(isBefore: Bool) async {
    let heard = Recorder<String>()
    @Sendable func cancel() { withUnsafeCurrentTask { $0?.cancel() } }
    let task = Task {
      if isBefore { cancel() }
      return try await future { (resolve: Resolver<Int>) in
        resolve.onCancel { heard.record("stop") }
        if !isBefore { cancel() }
        heard.record("after")
        resolve { 1 }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(heard.elements == ["stop", "after"])
  }

  @Test("What is registered to stop the work after it was cancelled is called at once")
  func registeredLate() async throws {
    let (kept, stops, started) = (Recorder<Resolver<Int>>(), Recorder<Int>(), Gate())
    let task = Task {
      try await future { (resolve: Resolver<Int>) in
        kept.record(resolve)
        started.open()
      }
    }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let resolve = try #require(kept.elements.first)
    resolve.onCancel { stops.record(1) }
    #expect(stops.elements == [1])
    resolve { 1 }
    resolve.onCancel { stops.record(2) }
    #expect(stops.elements == [1])
  }

  @Test("An answer that the work gives because it is stopped is late")
  func answersWhenStopped() async {
    let started = Gate()
    let answers = Recorder<FutureError?>()
    let task = Task {
      try await future { (resolve: Resolver<Int>) in
        resolve.onCancel { answers.record(resolve { 1 }) }
        started.open()
      }
    }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(answers.elements == [nil])
  }

  @Test(
    "All that is registered to stop the work is called once, in order, and not after the answer")
  func stopsInOrder() async throws {
    let (api, stops) = (CallbackAPI(), Recorder<Int>())
    let task = Task {
      try await future { (resolve: Resolver<Int>) in
        for number in 1...3 { resolve.onCancel { stops.record(number) } }
        api.start(resolve)
      }
    }
    await api.starts.wait()
    task.cancel()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(stops.elements == [1, 2, 3])

    let value = try await future { (resolve: Resolver<Int>) in
      resolve.onCancel { stops.record(4) }
      resolve { 1 }
      resolve.onCancel { stops.record(5) }
    }
    #expect(value == 1 && stops.count == 3)
  }

  @Test("What is registered to stop the work is let go when the answer is there")
  func letsGo() async throws {
    final class Marker: Sendable {}
    var marker: Marker? = Marker()
    let released = { [weak marker] in marker }
    let kept = Recorder<Resolver<Int>>()
    let value = try await future { [marker] (resolve: Resolver<Int>) in
      kept.record(resolve)
      resolve.onCancel { withExtendedLifetime(marker) {} }
      resolve { 1 }
      resolve.onCancel { withExtendedLifetime(marker) {} }
    }
    marker = nil
    #expect(value == 1 && kept.count == 1)
    #expect(released() == nil)
  }

  @Test("A URLSession task is a stage, against a loopback server")
  func urlSession() async throws {
    let server = try LoopbackServer(status: 201, body: "made")
    let response = try await HTTPRequest.get(server.url).execute()
    #expect(response == .init(status: 201, body: Data("made".utf8)))
    #expect(server.requests.first?.line.hasPrefix("GET / ") == true)
  }
}
