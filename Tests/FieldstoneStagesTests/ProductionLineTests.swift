import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("A production line")
struct ProductionLineTests {
  /// Counts how many run at once.
  final class Meter: Sendable {
    private let state = Locked((running: 0, most: 0))
    var most: Int { state.withLock { $0.most } }

    func enter() {
      state.withLock {
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
    }

    func leave() { state.withLock { $0.running -= 1 } }
  }

  private enum Session {
    @TaskLocal static var name = "none"
  }

  struct NamedStage: Stage {
    let gate: Gate

    func next() async throws -> Step<Self, String> {
      await gate.wait()
      return .complete(Session.name)
    }
  }

  @Test("No stage has the task-local values of the task that adds it, or of another stage")
  func taskLocals() async throws {
    let line = ProductionLine<NamedStage>(maxConcurrent: 1)
    let gate = Gate()
    let executions = ["alice", "bob"].map { name in
      Session.$name.withValue(name) { line.add(NamedStage(gate: gate)) }
    }
    gate.open()
    for execution in executions { #expect(try await execution.value == "none") }
  }

  enum Metered: ContextualStage {
    case enter(Int)
    case leave(Int)

    func next(in meter: Meter) async throws -> Step<Self, Int> {
      switch self {
      case .enter(let number):
        meter.enter()
        await Task.yield()
        return .advance(to: .leave(number))
      case .leave(let number):
        await Task.yield()
        meter.leave()
        return .complete(number)
      }
    }
  }

  /// Waits at the gate of its number; heeds its cancellation where it is polite.
  struct AtGate: ContextualStage {
    var number: Int
    var isPolite = false
    var fails = false

    struct Trouble: Error, Equatable { var number: Int }

    func next(in gates: [Gate]) async throws -> Step<Self, Int> {
      if isPolite {
        try await gates[number].waitUnlessCancelled()
      } else {
        await gates[number].wait()
      }
      if fails { throw Trouble(number: number) }
      return .complete(number)
    }
  }

  private func gates(_ count: Int) -> [Gate] { (0..<count).map { _ in Gate() } }

  @Test("10,000 stages with a bound of 3 never run more than 3 at once, and use all 3")
  func boundHolds() async {
    let meter = Meter()
    let line = ProductionLine<Metered>(maxConcurrent: 3, in: meter)
    let results = line.results(order: .input)
    line.add(contentsOf: (0..<10_000).map { .enter($0) })
    line.finish()
    var numbers: [Int] = []
    for await outcome in results { numbers.append(outcome.value ?? -1) }
    #expect(numbers == Array(0..<10_000))
    #expect(meter.most == 3)
  }

  @Test("With a bound of one the result is there before the next stage starts")
  func resultBeforeTheNext() async {
    struct After: ContextualStage {
      let previous: StageExecution<Bool>?
      func next(in gate: Gate) async throws -> Step<Self, Bool> {
        await gate.wait()
        return .complete(previous.map { $0.currentOutcome != nil } ?? true)
      }
    }
    let gate = Gate()
    let line = ProductionLine<After>(maxConcurrent: 1, in: gate)
    var executions: [StageExecution<Bool>] = []
    for _ in 0..<5_000 { executions.append(line.add(After(previous: executions.last))) }
    gate.open()
    var inOrder = 0
    for execution in executions where await execution.outcome.value == true { inOrder += 1 }
    #expect(inOrder == 5_000)
  }

  @Test("A bound of less than one counts as one", arguments: [0, -5])
  func leastBound(bound: Int) async throws {
    let line = ProductionLine<Countdown>(maxConcurrent: bound)
    #expect(try await line.add(.from(2)).value == 2)
  }

  @Test("Results come in the order of input or of completion")
  func orders() async {
    let gates = gates(3)
    let line = ProductionLine<AtGate>(maxConcurrent: 3, in: gates)
    let (byInput, byCompletion) = (line.results(order: .input), line.results(order: .completion))
    let executions = line.add(contentsOf: (0..<3).map { AtGate(number: $0) })
    line.finish()
    for number in [2, 0, 1] {
      gates[number].open()
      _ = await executions[number].outcome
    }
    #expect(await values(of: byInput) == [0, 1, 2])
    #expect(await values(of: byCompletion) == [2, 0, 1])
  }

  @Test(
    "Results are of the stages added after they were asked for",
    arguments: ProductionLineOrder.allCases)
  func laterResults(order: ProductionLineOrder) async {
    let gates = gates(2)
    let line = ProductionLine<AtGate>(maxConcurrent: 2, in: gates)
    let earlier = line.add(AtGate(number: 0))
    let results = line.results(order: order)
    line.add(AtGate(number: 1))
    line.finish()
    gates[0].open()
    _ = await earlier.outcome
    gates[1].open()
    #expect(await values(of: results) == [1])
  }

  @Test("The options are those of each execution")
  func options() async throws {
    let seen = Recorder<Countdown>()
    let line = ProductionLine<Countdown>(
      maxConcurrent: 1, options: ExecutionOptions(beforeStage: { seen.record($0) }))
    #expect(try await line.add(.from(0)).value == 0)
    #expect(seen.elements == [.from(0)])
  }

  @Test("A failure is a result like any other, and the line goes on")
  func failures() async {
    let gates = gates(3)
    for gate in gates { gate.open() }
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let results = line.results(order: .input)
    line.add(contentsOf: (0..<3).map { AtGate(number: $0, fails: $0 == 1) })
    line.finish()
    var errors: [AtGate.Trouble?] = []
    for await outcome in results { errors.append(outcome.error as? AtGate.Trouble) }
    #expect(errors == [nil, .init(number: 1), nil])
  }

  @Test("Suspended, it starts nothing new; resumed, it goes on")
  func suspends() async throws {
    let gates = gates(2)
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let first = line.add(AtGate(number: 0))
    await gates[0].arrivals(atLeast: 1)
    line.suspend()
    let second = line.add(AtGate(number: 1))
    gates[0].open()
    #expect(try await first.value == 0)
    #expect(line.isSuspended && line.pendingCount == 1)
    #expect(gates[1].arrivalCount == 0)
    gates[1].open()
    line.resume()
    #expect(try await second.value == 1)
    #expect(line.pendingCount == 0)
  }

  @Test("Clearing what is pending cancels it, and leaves alone what runs")
  func clearsPending() async throws {
    let gates = gates(3)
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let executions = line.add(contentsOf: (0..<3).map { AtGate(number: $0) })
    await gates[0].arrivals(atLeast: 1)
    line.clearPending()
    #expect(line.pendingCount == 0 && line.runningCount == 1)
    #expect(executions[1].currentOutcome?.cancellation == .caller)
    #expect(executions[2].currentOutcome?.cancellation == .caller)
    gates[0].open()
    #expect(try await executions[0].value == 0)
    #expect(gates[1].arrivalCount == 0)
  }

  /// Waits at the gate of its number, if there is one.
  struct Displaced: ContextualStage {
    let number: Int

    func next(in gates: [Gate]) async throws -> Step<Self, Int> {
      if gates.indices.contains(number) { await gates[number].wait() }
      return .complete(number)
    }
  }

  @Test(
    "While what is pending is cancelled, none of it starts in place of one that stops",
    // Each observes the executions of the other, too.
    .serialized, arguments: [false, true])
  func clearsAtOnce(all: Bool) async {
    let gates = gates(1)
    let ran = Recorder<Int>()
    let line = ProductionLine<Displaced>(
      maxConcurrent: 1, in: gates,
      options: ExecutionOptions(beforeStage: { ran.record($0.number) }))
    // The first cancellation waits until the running stage has stopped, and with it what was
    // started in its place. It occupies its thread, so it has one of its own.
    let registration = ActivityEvent.observe([.stageExecution], named: "Displaced") { event in
      guard case .ended(.cancelled) = event.change else { return }
      gates[0].open()
      while line.runningCount > 0 {}
    }
    let executions = line.add(contentsOf: (0..<3).map { Displaced(number: $0) })
    await gates[0].arrivals(atLeast: 1)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        if all { line.cancelAll() } else { line.clearPending() }
        continuation.resume()
      }
    }
    registration.cancel()
    #expect(ran.elements == [0])
    for execution in executions.dropFirst() {
      #expect(await execution.outcome.cancellation == .caller)
    }
    #expect(line.pendingCount == 0)
  }

  @Test("One that waits is cancelled alone and never starts")
  func cancelsOnePending() async throws {
    let gates = gates(3)
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let executions = line.add(contentsOf: (0..<3).map { AtGate(number: $0) })
    executions[1].cancel()
    for gate in gates { gate.open() }
    #expect(try await executions[2].value == 2)
    await #expect(throws: CallCancelled(.caller)) { try await executions[1].value }
    #expect(gates[1].arrivalCount == 0)
  }

  @Test("One that runs ends at once when cancelled, but keeps its place until its work stops")
  func cancelledKeepsItsPlace() async throws {
    let gates = gates(2)
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let executions = line.add(contentsOf: (0..<2).map { AtGate(number: $0) })
    await gates[0].arrivals(atLeast: 1)
    executions[0].cancel()
    #expect(executions[0].currentOutcome?.cancellation == .caller)
    #expect(line.runningCount == 1 && line.pendingCount == 1)
    #expect(gates[1].arrivalCount == 0)
    gates[0].open()
    gates[1].open()
    #expect(try await executions[1].value == 1)
  }

  @Test("All are cancelled, and the line can be used again")
  func cancelsAll() async throws {
    let gates = gates(3)
    let line = ProductionLine<AtGate>(maxConcurrent: 2, in: gates)
    let results = line.results(order: .input)
    line.add(contentsOf: (0..<3).map { AtGate(number: $0, isPolite: true) })
    await gates[0].arrivals(atLeast: 1)
    await gates[1].arrivals(atLeast: 1)
    line.cancelAll()
    gates[0].open()
    line.add(AtGate(number: 0))
    line.finish()
    var reasons: [CancellationReason?] = []
    for await outcome in results { reasons.append(outcome.cancellation) }
    #expect(reasons == [.caller, .caller, .caller, nil])
    #expect(gates[2].arrivalCount == 0)
  }

  @Test("When all are cancelled nothing starts in the place of what stops")
  func cancelsAllBeforeTheyStart() async {
    let gates = gates(2)
    let line = ProductionLine<AtGate>(maxConcurrent: 1, in: gates)
    let results = line.results(order: .completion)
    line.add(AtGate(number: 0, isPolite: true))
    line.add(contentsOf: (0..<2_000).map { _ in AtGate(number: 1, isPolite: true) })
    line.finish()
    await gates[0].arrivals(atLeast: 1)
    line.cancelAll()
    for await outcome in results { #expect(outcome.cancellation == .caller) }
    #expect(gates[1].arrivalCount == 0)
  }

  @Test("Nothing can be added to a finished line: it ends as released, once")
  func finished() async {
    let line = ProductionLine<Countdown>(maxConcurrent: 1)
    line.finish()
    let execution = line.add(.from(1))
    #expect(execution.currentOutcome?.cancellation == .released)
    #expect(await values(of: line.results(order: .input)) == [])
    let error = await #expect(throws: CallCancelled.self) { try await execution.value }
    #expect(error?.message.contains("or finished") == true)
  }

  @Test("A released line lets go on what it was given")
  func releasedGoesOn() async throws {
    var line: ProductionLine<Countdown>? = ProductionLine(maxConcurrent: 1)
    let released = { [weak line] in line }
    let results = line!.results(order: .completion)
    line!.add(contentsOf: [.from(1), .from(2), .from(3)])
    line = nil
    #expect(released() == nil)
    #expect(await values(of: results) == [1, 2, 3])
  }

  @Test("What waits in a suspended line that is released ends as released")
  func releasedSuspended() async throws {
    var line: ProductionLine<Countdown>? = ProductionLine(maxConcurrent: 1)
    line!.suspend()
    let execution = line!.add(.from(1))
    line = nil
    #expect(execution.currentOutcome?.cancellation == .released)
  }

  @Test("Adding and cancelling from many tasks ends each execution once")
  func contended() async {
    let line = ProductionLine<Countdown>(maxConcurrent: 4)
    let results = line.results(order: .completion)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<250 {
            let execution = line.add(.from(number % 5))
            if (number + task).isMultiple(of: 3) { execution.cancel() }
          }
        }
      }
    }
    line.finish()
    var count = 0
    for await _ in results { count += 1 }
    #expect(count == 2_000)
    #expect(line.pendingCount == 0)
  }

  /// Does something when it goes.
  final class Farewell: Sendable {
    private let say: @Sendable () -> Void
    init(_ say: @escaping @Sendable () -> Void) { self.say = say }
    deinit { say() }
  }

  /// Waits at the gate of its number, and gives what it holds.
  struct Holding: ContextualStage {
    var number = 0
    var farewell: Farewell?

    func next(in gates: [Gate]) async throws -> Step<Self, Farewell?> {
      await gates[number].wait()
      return .complete(farewell)
    }
  }

  @Test("A stage that goes when it is cancelled may ask the line")
  func askedByAStageThatGoes() {
    let heard = Recorder<Int>()
    let line = ProductionLine<Holding>(maxConcurrent: 1, in: [])
    line.suspend()
    let execution = line.add(Holding(farewell: Farewell { heard.record(line.pendingCount) }))
    execution.cancel()
    #expect(heard.elements == [0])
  }

  @Test("A completion that goes with those who no longer want it may ask the line")
  func askedByACompletionThatGoes() async {
    let (gates, heard) = (gates(2), Recorder<Bool>())
    let line = ProductionLine<Holding>(maxConcurrent: 2, in: gates)
    var results: (any AsyncSequence<Outcome<Farewell?>, Never>)? = line.results(order: .input)
    let first = line.add(Holding(number: 0))
    gates[1].open()
    _ = await line.add(
      Holding(number: 1, farewell: Farewell { heard.record(line.isSuspended) })
    ).outcome
    // It is kept for the results, behind the first, which goes on.
    withExtendedLifetime(results) {}
    results = nil
    gates[0].open()
    _ = await first.outcome
    #expect(await heard.elements(atLeast: 1) == [false])
  }

  private func values(of results: some AsyncSequence<Outcome<Int>, Never>) async -> [Int] {
    var values: [Int] = []
    for await outcome in results { values.append(outcome.value ?? -1) }
    return values
  }
}
