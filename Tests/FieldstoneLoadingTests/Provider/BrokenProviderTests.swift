import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

/// Providers that break what they promise, each in one way, are refused for it.
@Suite("What the provider conformance suite refuses", .timeLimit(.minutes(20)))
struct BrokenProviderTests {
  private typealias Promise = ProviderConformanceError.Promise

  /// Open once a broken provider hangs: then everybody's patience is at an end.
  private let stuck = Gate()

  /// What the suite finds broken; the closure gets the number of the provider that it makes.
  private func broken<Provider: DataProvider<Int, Int>>(
    held: (@Sendable () -> ProviderConformance<Provider>.Held)? = nil,
    _ make: @escaping @Sendable (Int) -> Provider
  ) async throws -> [Promise] {
    let made = Recorder<Void>()
    var suite = ProviderConformance(parameters: 7, expected: 7) {
      made.record(())
      return make(made.count)
    }
    suite.makeHeld = held
    suite.time = TimeSource(
      now: { .now }, uptime: { .zero },
      sleepUntilUptime: { [stuck] _ in try await stuck.waitUnlessCancelled() },
      sleepUntilDate: { _ in })
    do {
      try await suite.check()
      return []
    } catch let error as ProviderConformanceError {
      #expect(error.provider == "\(Provider.self)")
      #expect(error.message.contains(error.provider))
      for failure in error.failures {
        #expect(error.message.contains(failure.promise.rawValue))
        #expect(error.message.contains(failure.detail))
      }
      return error.failures.map(\.promise)
    }
  }

  @Test("None that keeps its promises")
  func none() async throws {
    #expect(try await broken { _ in ClosureProvider { (number: Int) in number } } == [])
  }

  @Test("A wrong output")
  func output() async throws {
    let found = try await broken { number in
      ClosureProvider { (parameter: Int) in number == 1 ? 8 : parameter }
    }
    #expect(found == [.output, .again])
  }

  @Test("A provider that can be loaded only once")
  func again() async throws {
    let found = try await broken { number in
      let loads = Recorder<Int>()
      return ClosureProvider { (parameter: Int) in
        loads.record(parameter)
        if number == 1, loads.count == 2 { throw Failure.broken }
        return parameter
      }
    }
    #expect(found == [.again])
  }

  @Test("One that can't do two things at once")
  func concurrency() async throws {
    let found = try await broken { number in
      let loads = Recorder<Int>()
      return ClosureProvider { (parameter: Int) in
        loads.record(parameter)
        if number == 2, loads.count > 1 { throw Failure.broken }
        return parameter
      }
    }
    #expect(found == [.concurrency])
  }

  @Test("Progress that goes back, unless that is allowed")
  func progress() async throws {
    let provider = ClosureProvider { (number: Int, events: LoadEvents<Int>) in
      for part in [0.5, 0.4, 0.9] { events.progress(.fraction(part)) }
      return number
    }
    let found = try await broken { _ in provider }
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0 == .progress })
    var suite = ProviderConformance(parameters: 7, expected: 7, makeProvider: { provider })
    suite.allowsProgressToGoBack = true
    try await suite.check()
  }

  @Test("Reports after the end")
  func silence() async throws {
    let found = try await broken { number in
      let before = Recorder<LoadEvents<Int>>()
      return ClosureProvider { (parameter: Int, events: LoadEvents<Int>) in
        if number == 1 {
          before.elements.last?.early(parameter)
          before.elements.last?.progress(.indeterminate)
        }
        before.record(events)
        return parameter
      }
    }
    #expect(found == [.silence, .silence])
  }

  @Test("An error of its own for a cancellation, or an output")
  func cancelledBefore() async throws {
    for error in [Failure.broken, nil] {
      let found = try await broken { number in RudeProvider(error: number == 3 ? error : nil) }
      #expect(found == [.cancelledBefore])
    }
  }

  @Test("One that does not heed its cancellation: it fails, gives its output, or hangs")
  func cancelledDuring() async throws {
    for (error, hangs) in [(Failure.broken, false), (nil, false), (nil, true)] {
      let gate = Gate()
      let provider = RudeHeldProvider(gate: gate, error: error)
      let found = try await broken(
        held: {
          .init(provider) { [stuck] in
            await gate.arrivals(atLeast: 1)
            if hangs { stuck.open() } else { gate.open() }
          }
        },
        { _ in .init(gate: nil, error: nil) })
      #expect(found == [.cancelledDuring])
      gate.open()
    }
  }

  @Test("A held load that does not begin")
  func notBegun() async throws {
    let never = Gate()
    let provider = RudeHeldProvider(gate: nil, error: nil)
    let found = try await broken(
      held: {
        .init(provider) { [stuck] in
          stuck.open()
          await never.wait()
        }
      },
      { _ in provider })
    #expect(found == [.cancelledDuring])
    never.open()
  }

  @Test("One that never ends")
  func hangs() async throws {
    let gate = Gate()
    let found = try await broken { _ in
      ClosureProvider { [stuck] (number: Int) in
        stuck.open()
        await gate.wait()
        return number
      }
    }
    #expect(Set(found).isSuperset(of: [.output, .again, .concurrency]))
    gate.open()
  }

  @Test("One whose loads end together when one is cancelled")
  func independence() async throws {
    let found = try await broken { number in JoinedProvider(isBroken: number == 4) }
    #expect(found == [.independence])
  }
}

/// Has its own idea of what to do in a cancelled task.
private struct RudeProvider: DataProvider {
  let error: Failure?

  @concurrent
  func load(_ parameters: Int, reporting events: LoadEvents<Int>) async throws -> Int {
    if Task.isCancelled, let error { throw error }
    return parameters
  }
}

/// Waits for a gate, cancelled or not.
private struct RudeHeldProvider: DataProvider {
  let gate: Gate?
  let error: Failure?

  @concurrent
  func load(_ parameters: Int, reporting events: LoadEvents<Int>) async throws -> Int {
    try Task.checkCancellation()
    await gate?.wait()
    if let error { throw error }
    return parameters
  }
}

/// A cancelled load fails the others.
private struct JoinedProvider: DataProvider {
  let isBroken: Bool
  let cancellations = Recorder<Int>()

  @concurrent
  func load(_ parameters: Int, reporting events: LoadEvents<Int>) async throws -> Int {
    if isBroken {
      await withTaskCancellationHandler {
        _ = await cancellations.elements(atLeast: 1)
      } onCancel: {
        cancellations.record(parameters)
      }
      try Task.checkCancellation()
      throw Failure.broken
    }
    try Task.checkCancellation()
    return parameters
  }
}
