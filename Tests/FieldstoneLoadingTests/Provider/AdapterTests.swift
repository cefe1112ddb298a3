import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

@Suite("Providers that are closures and values")
struct AdapterTests {
  @Test("A closure is a provider")
  func closure() async throws {
    let provider = ClosureProvider { (name: String) in "Hello, \(name)" }
    #expect(try await provider.load("Ada", reporting: LoadEvents()) == "Hello, Ada")
  }

  @Test("It can report, and need no parameters")
  func shapes() async throws {
    let heard = Recorder<String>()
    let reporting = ClosureProvider { (name: String, events: LoadEvents<String>) in
      events.progress(.fraction(0.5))
      events.early("early \(name)")
      return name
    }
    #expect(try await reporting.load("Ada", reporting: .recording(heard)) == "Ada")
    #expect(heard.elements == ["0.5", "early Ada"])
    let simple = ClosureProvider { 42 }
    #expect(try await simple.load((), reporting: LoadEvents()) == 42)
  }

  @Test("It runs off the main actor, also when it is called from there")
  @MainActor
  func offMain() async throws {
    let provider = ClosureProvider { MainDispatch.isOnMain }
    #expect(try await provider.load((), reporting: LoadEvents()) == false)
  }

  @Test("Its error is the load's")
  func failure() async {
    let provider = ClosureProvider { (_: Int) -> Int in throw Failure.broken }
    await #expect(throws: Failure.broken) { try await provider.load(1, reporting: LoadEvents()) }
  }

  @Test("Whatever it throws because it was cancelled is a cancellation")
  func foreignCancellation() async {
    let gate = Gate()
    let provider = ClosureProvider { () -> Int in
      await gate.wait()
      throw URLError(.cancelled)
    }
    let load = Task { try await provider.load((), reporting: LoadEvents()) }
    await gate.arrivals(atLeast: 1)
    load.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await load.value }
  }

  @Test("Cancelled before, neither closure nor value is asked")
  func cancelledBefore() async {
    let asked = Recorder<Int>()
    let closure = ClosureProvider { (number: Int) in
      asked.record(number)
      return number
    }
    for provider in [closure.erased(), AnyProvider(ValueProvider(1))] {
      let load = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await provider.load(1, reporting: LoadEvents())
      }
      await #expect(throws: CancellationError.self) { try await load.value }
    }
    #expect(asked.count == 0)
  }

  @Test("A value is a provider, by name or by dot")
  func value() async throws {
    #expect(try await ValueProvider<String, Int>(5).load("any", reporting: LoadEvents()) == 5)
    let users: some DataProvider<String, Int> = .value(7)
    #expect(try await users.load("any", reporting: LoadEvents()) == 7)
  }

  @Test("An erased provider hands everything on, and is erased once")
  func erased() async throws {
    let source = ManualProvider<Int, String>()
    let provider: AnyProvider<Int, String> = source.erased().erased()
    let heard = Recorder<String>()
    let task = Task { try await provider.load(3, reporting: .recording(heard)) }
    let load = await source.load(at: 0)
    #expect(load.parameters == 3)
    load.events.early("early")
    load.succeed("value")
    #expect(try await task.value == "value")
    #expect(heard.elements == ["early"])

    let second = Task { try await provider.load(4, reporting: LoadEvents()) }
    let other = await source.load(at: 1)
    second.cancel()
    await other.cancelled()
    await #expect(throws: CancellationError.self) { try await second.value }
  }
}
