import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Cancelling stages")
struct CancellationTests {
  /// What a stage does once it was cancelled in its work.
  enum Manners: CaseIterable, Sendable {
    case throwsCancellation, throwsItsOwnError, goesOn, completes
  }

  struct Trouble: Error {}

  enum Work: ContextualStage {
    case wait(Manners)
    case late

    func next(in context: (gate: Gate, late: Recorder<Void>)) async throws -> Step<Self, Int> {
      switch self {
      case .wait(let manners):
        do {
          try await context.gate.waitUnlessCancelled()
        } catch {
          switch manners {
          case .throwsCancellation: throw error
          case .throwsItsOwnError: throw Trouble()
          case .goesOn: return .advance(to: .late)
          case .completes: return .complete(0)
          }
        }
        return .complete(1)
      case .late:
        context.late.record(())
        return .complete(2)
      }
    }
  }

  @Test(
    "Cancelled inside a stage it throws CancellationError, whatever the stage makes of it",
    arguments: Manners.allCases)
  func cancelledInside(manners: Manners) async {
    let (gate, late) = (Gate(), Recorder<Void>())
    let task = Task { try await Work.wait(manners).execute(in: (gate, late)) }
    await gate.arrivals(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(late.count == 0)
  }

  @Test("An execution that was cancelled before it started begins no work")
  func cancelledBeforeTheStart() async {
    for _ in 0..<200 {
      let (gate, late) = (Gate(), Recorder<Void>())
      let stopped = Gate()
      let execution = StageExecution<Int>()
      execution.cancel()
      let options = ExecutionOptions<Work>(beforeStage: { _ in late.record(()) })
      execution.start(.late, in: (gate, late), options: options) { stopped.open() }
      await stopped.wait()
      #expect(late.count == 0)
    }
  }

  @Test("The same for the sequence of stages", arguments: Manners.allCases)
  func sequenceCancelledInside(manners: Manners) async {
    let (gate, late) = (Gate(), Recorder<Void>())
    let task = Task {
      for try await _ in Work.wait(manners).stages(in: (gate, late)) {}
    }
    await gate.arrivals(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(late.count == 0)
  }

  @Test("Cancelled between two stages the sequence does no more work")
  func sequenceCancelledBetween() async {
    let (gate, late) = (Gate(), Recorder<Void>())
    let task = Task {
      var iterator = Work.late.stages(in: (gate, late)).makeAsyncIterator()
      let stage = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      guard stage != nil else { return }
      _ = try await iterator.next()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(late.count == 0)
  }

  @Test("Cancelled before it starts it does no work")
  func cancelledBefore() async {
    let (gate, late) = (Gate(), Recorder<Void>())
    // Often, as a task that began too early might be stopped in time.
    for _ in 0..<500 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await Work.late.execute(in: (gate, late))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(late.count == 0)
  }

  @Test(
    "Cancelled between synchronous stages it stops, in a task and in a plain loop",
    arguments: [true, false])
  func cancelledBetween(asynchronously: Bool) async {
    struct Endless: SynchronousStage {
      let started: Gate
      func next() throws -> Step<Self, Int> {
        started.open()
        return .advance(to: self)
      }
    }
    let started = Gate()
    // It spins: on the shared pool it would take a thread away from every other test.
    let task = Task(executorPreference: QueueExecutor()) { @concurrent in
      func inAPlainLoop() throws -> Int { try Endless(started: started).execute() }
      return asynchronously
        ? try await Endless(started: started).execute() : try inAPlainLoop()
    }
    await started.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Cancelled while it waits it stops waiting")
  func cancelledInAWait() async {
    struct Pause: Stage {
      func next() async throws -> Step<Self, Int> { .wait(until: .distantFuture, then: self) }
    }
    let time = ManualTime()
    let task = Task { try await Pause().execute(options: ExecutionOptions(time: time.source)) }
    await time.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.sleeperCount == 0)
  }

  @Test("A failure that has nothing to do with cancellation stays a failure")
  func failureStays() async {
    struct Fails: Stage {
      func next() async throws -> Step<Self, Int> { throw Trouble() }
    }
    await #expect(throws: Trouble.self) { try await Fails().execute() }
    #expect(await Fails().execute { _ in }.outcome.error is Trouble)
  }
}
