import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

// User-like types adopt every public protocol and call every public name of FieldstoneStages, from
// outside. A change that breaks this file breaks users.

private enum Plain: Stage {
  case start
  func next() async throws -> Step<Self, String> { .complete("plain") }
}

private enum Loop: SynchronousStage {
  case at(Int)
  func next() throws -> Step<Self, Int> {
    switch self {
    case .at(let number) where number < 10: .advance(to: .at(number + 1))
    case .at(let number): .complete(number)
    }
  }
}

private struct Services: Sendable {
  var greeting: String
}

private enum WithServices: ContextualStage {
  case greet(String)
  func next(in context: Services) async throws -> Step<Self, String> {
    switch self {
    case .greet(let name): .complete("\(context.greeting), \(name)")
    }
  }
}

private enum NoResult: Stage {
  case start
  func next() async throws -> Step<Self, Void> { .complete(()) }
}

/// A generic stage with a custom completion.
private enum Mapped<Inner: Stage>: Stage {
  case inner(Inner)
  case last(Inner.Completion)
  func next() async throws -> Step<Self, [Inner.Completion]> {
    switch self {
    case .inner(let stage):
      try await stage.next().map(stage: { .inner($0) }, completion: { .advance(to: .last($0)) })
    case .last(let value): .complete([value])
    }
  }
}

@Suite("The surface of stages")
struct StagesSurface {
  @Test("Each kind of stage executes in each way")
  func executes() async throws {
    #expect(try await Plain.start.execute() == "plain")
    #expect(try await Plain.start.execute(options: .init()) == "plain")
    #expect(try await Plain.start.execute(in: ()) == "plain")
    #expect(try await Plain.start.execute { _ in }.value == "plain")
    #expect(try await Loop.at(0).execute() == 10)
    #expect(try await WithServices.greet("you").execute(in: Services(greeting: "Hi")) == "Hi, you")
    try await NoResult.start.execute()
    #expect(try await Mapped.inner(Loop.at(9)).execute() == [10])
    #expect(try await Mapped.inner(Mapped.inner(Plain.start)).execute() == [["plain"]])
  }

  @Test("Code that is not asynchronous executes synchronous stages and starts all others")
  func synchronousCaller() async throws {
    func start() throws -> StageExecution<String> {
      #expect(try Loop.at(3).execute() == 10)
      return Plain.start.execute { useResult in
        #expect((try? useResult()) == "plain")
      }
    }
    #expect(try await start().outcome.value == "plain")
  }

  @Test("Options are a value")
  func options() async throws {
    let seen = Recorder<String>()
    var options = ExecutionOptions<Plain>(priority: .utility)
    options.beforeStage = { seen.record("\($0)") }
    options.placement = { _ in .queue(.global()) }
    options.completionPlacement = .queue(.main)
    options.time = ManualTime().source
    #expect(try await Plain.start.execute(options: options) == "plain")
    #expect(seen.elements == ["start"])
  }

  @Test("A step is matched exhaustively by three cases")
  func stepIsExhaustive() {
    func name<A, B>(_ step: Step<A, B>) -> String {
      switch step {
      case .advance: "advance"
      case .complete: "complete"
      case .wait: "wait"
      }
    }
    #expect(name(Step<Int, Int>.advance(to: 1)) == "advance")
    #expect(name(Step<Int, Int>.complete(1)) == "complete")
    #expect(name(Step<Int, Int>.wait(until: .now, then: 1)) == "wait")
  }

  @Test("Lines and serial executions, with and without services")
  func lines() async throws {
    let services = Services(greeting: "Hello")
    let line = ProductionLine<WithServices>(maxConcurrent: 1, in: services)
    #expect(line.pendingCount == 0 && line.runningCount == 0 && !line.isSuspended)
    #expect(try await line.add(.greet("A")).value == "Hello, A")
    var greetings: [String] = []
    for try await greeting in ["B", "C"].map(WithServices.greet).serially(in: services) {
      greetings.append(greeting)
    }
    #expect(greetings == ["Hello, B", "Hello, C"])
  }
}
