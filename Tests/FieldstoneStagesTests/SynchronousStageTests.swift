import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Testing

@Suite("Synchronous stages")
struct SynchronousStageTests {
  /// Tells which of its two faces was called.
  struct TwoFaced: SynchronousStage {
    let calls: Recorder<String>
    func next() throws -> Step<Self, Int> {
      calls.record("plain")
      return .complete(1)
    }
    func next() async throws -> Step<Self, Int> {
      calls.record("asynchronous")
      return .complete(2)
    }
  }

  private func executeGenerically<Work: Stage>(_ stage: Work) async throws -> Work.Completion {
    try await stage.execute()
  }

  @Test("Asynchronous and generic callers run the plain loop")
  func plainLoopIsFound() async throws {
    let calls = Recorder<String>()
    #expect(try await TwoFaced(calls: calls).execute() == 1)
    #expect(try await executeGenerically(TwoFaced(calls: calls)) == 1)
    let stage: any Stage<Int> = TwoFaced(calls: calls)
    #expect(try await stage.execute() == 1)
    #expect(try await TwoFaced(calls: calls).execute { _ in }.value == 1)
    #expect(calls.elements == ["plain", "plain", "plain", "plain"])
  }

  @Test("Code that is not asynchronous executes them")
  func synchronousCaller() throws {
    #expect(try SynchronousCountdown.from(1000).execute() == 1000)
  }

  @Test("Errors reach the caller")
  func errors() throws {
    struct Trouble: Error {}
    struct Fails: SynchronousStage {
      func next() throws -> Step<Self, Int> { throw Trouble() }
    }
    #expect(throws: Trouble.self) { try Fails().execute() }
  }

  @Test("The hook is called before each stage")
  func hook() async throws {
    let seen = Recorder<SynchronousCountdown>()
    _ = try await SynchronousCountdown.from(1).execute(
      options: ExecutionOptions(beforeStage: { seen.record($0) }))
    #expect(seen.elements == [.at(1, passed: 0), .at(0, passed: 1)])
  }

  @Test("The hook is called before the work of its stage")
  func hookBeforeTheWork() async throws {
    struct Working: SynchronousStage {
      let log: Recorder<String>
      func next() throws -> Step<Self, Int> {
        log.record("work")
        return .complete(0)
      }
    }
    let log = Recorder<String>()
    _ = try await Working(log: log).execute(
      options: ExecutionOptions(beforeStage: { _ in log.record("before") }))
    #expect(log.elements == ["before", "work"])
  }

  /// Cancels the task that it runs in, and then does what it does.
  struct SelfCancelling: SynchronousStage {
    enum Ending: CaseIterable { case completes, fails, goesOn }

    struct Trouble: Error {}

    let ending: Ending
    let work: Recorder<Void>

    func next() throws -> Step<Self, Int> {
      withUnsafeCurrentTask { $0?.cancel() }
      work.record(())
      switch ending {
      case .completes: return .complete(1)
      case .fails: throw Trouble()
      case .goesOn: return .advance(to: self)
      }
    }
  }

  @Test(
    "Cancelled in a stage it throws CancellationError, whatever the stage makes of it",
    arguments: SelfCancelling.Ending.allCases, [true, false])
  func cancelledInside(ending: SelfCancelling.Ending, asynchronously: Bool) async {
    let work = Recorder<Void>()
    let task = Task { @concurrent in
      let stage = SelfCancelling(ending: ending, work: work)
      func inAPlainLoop() throws -> Int { try stage.execute() }
      return asynchronously ? try await stage.execute() : try inAPlainLoop()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // A plain loop looks every 256 stages.
    #expect(work.count <= (asynchronously ? 1 : 256))
  }
}
