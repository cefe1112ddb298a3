import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Executing stages")
struct ExecutionTests {
  @Test("A file is read, parsed and given")
  func readsAFile() async throws {
    let document = try await withFile(JSONEncoder().encode(Document.sample)) { url in
      try await FileOpen.read(url).execute()
    }
    #expect(document == .sample)
  }

  @Test("Execution starts from any stage", arguments: [0, 1, 2])
  func startsAnywhere(index: Int) async throws {
    let data = try JSONEncoder().encode(Document.sample)
    let document = try await withFile(data) { url in
      try await [FileOpen.read(url), .parse(data), .done(.sample)][index].execute()
    }
    #expect(document == .sample)
  }

  @Test("An error thrown by the first or by a later stage reaches the place that awaits")
  func errorsArrive() async throws {
    let missing = URL(filePath: "/nowhere/at/all.json")
    await #expect(throws: CocoaError.self) { try await FileOpen.read(missing).execute() }
    await #expect(throws: DecodingError.self) { try await FileOpen.parse(Data("{".utf8)).execute() }
    let untitled = try JSONEncoder().encode(Document(text: "", number: 0, arrayOfText: []))
    await #expect(throws: FileOpen.Failure.missing("text")) {
      try await FileOpen.parse(untitled).execute()
    }
  }

  @Test("A completion may be an enum of outcomes", arguments: [(3, false), (4, true)])
  func severalOutcomes(number: Int, isEven: Bool) async throws {
    enum Parity: Sendable, Equatable { case even, odd }
    enum Halving: SynchronousStage {
      case test(Int)
      func next() throws -> Step<Self, Parity> {
        switch self {
        case .test(0): .complete(.even)
        case .test(1): .complete(.odd)
        case .test(let number): .advance(to: .test(number - 2))
        }
      }
    }
    #expect(try await Halving.test(number).execute() == (isEven ? .even : .odd))
  }

  @Test("Services travel in the context")
  func contextIsHandedOn() async throws {
    enum Collect: ContextualStage {
      case at(Int)
      func next(in recorder: Recorder<Int>) async throws -> Step<Self, String> {
        guard case .at(let number) = self else { return .complete("") }
        recorder.record(number)
        return number == 3 ? .complete("three") : .advance(to: .at(number + 1))
      }
    }
    let recorder = Recorder<Int>()
    #expect(try await Collect.at(1).execute(in: recorder) == "three")
    #expect(recorder.elements == [1, 2, 3])
  }

  @Test("Stages run off the main actor, at user-initiated priority, also from the main actor")
  @MainActor func leavesTheMainActor() async throws {
    let places = Recorder<Bool>()
    let priorities = Recorder<TaskPriority>()
    enum Look: ContextualStage {
      case once
      func next(
        in context: (places: Recorder<Bool>, priorities: Recorder<TaskPriority>)
      ) async throws -> Step<Self, Int> {
        context.places.record(MainDispatch.isOnMain)
        context.priorities.record(Task.currentPriority)
        return .complete(1)
      }
    }
    #expect(MainDispatch.isOnMain)
    _ = try await Look.once.execute(in: (places, priorities))
    _ = try await Task(priority: .background) {
      try await Look.once.execute(in: (places, priorities))
    }.value
    #expect(places.elements == [false, false])
    #expect(priorities.elements.allSatisfy { $0 >= .userInitiated })
  }

  @Test("A synchronous stage leaves the main actor too")
  @MainActor func synchronousLeavesTheMainActor() async throws {
    enum Look: SynchronousStage {
      case once
      func next() throws -> Step<Self, Bool> { .complete(MainDispatch.isOnMain) }
    }
    #expect(try await Look.once.execute() == false)
    #expect(MainDispatch.isOnMain)
  }

  @Test("The priority of the options is the priority of the stages")
  func priorityIsKept() async throws {
    enum Look: Stage {
      case once
      func next() async throws -> Step<Self, TaskPriority> { .complete(Task.currentPriority) }
    }
    let task = Task(priority: .background) {
      try await Look.once.execute(options: ExecutionOptions(priority: .utility))
    }
    var priority: TaskPriority?
    for await value in AsyncStream<TaskPriority>(unfolding: { try? await task.value }).prefix(1) {
      priority = value
    }
    #expect(try #require(priority) >= .utility)
  }

  @Test("Task-local values of the caller reach the stages, however they are executed and placed")
  func taskLocalsAreKept() async throws {
    enum Look: Stage {
      @TaskLocal static var name = "none"
      case once
      func next() async throws -> Step<Self, String> { .complete(Look.name) }
    }
    let queue = DispatchQueue(label: "fieldstone.tests.locals")
    let placements: [StagePlacement] = [
      .automatic, .priority(.low), .queue(queue), .executor(QueueExecutor()),
    ]
    for placement in placements {
      let options = ExecutionOptions<Look>(placement: { _ in placement })
      let names = try await Look.$name.withValue("caller") {
        [
          try await Look.once.execute(options: options),
          try await Look.once.execute(options: options) { _ in }.value,
        ]
      }
      #expect(names == ["caller", "caller"])
    }
  }

  @Test("A serial queue given for one stage runs that stage and no other")
  func placedOnAQueue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "fieldstone.tests.reading")
    queue.setSpecific(key: key, value: true)
    enum Trip: ContextualStage {
      case home, there, back
      func next(in look: @escaping @Sendable (Self) -> Void) async throws -> Step<Self, Int> {
        look(self)
        await Task.yield()
        look(self)
        switch self {
        case .home: return .advance(to: .there)
        case .there: return .advance(to: .back)
        case .back: return .complete(0)
        }
      }
    }
    let seen = Recorder<String>()
    var options = ExecutionOptions<Trip>()
    options.placement = { if case .there = $0 { .queue(queue) } else { .automatic } }
    _ = try await Trip.home.execute(
      in: { seen.record("\($0) \(DispatchQueue.getSpecific(key: key) ?? false)") },
      options: options)
    #expect(
      seen.elements == [
        "home false", "home false", "there true", "there true", "back false", "back false",
      ])
  }

  @Test("A synchronous stage can be placed on a queue, one stage at a time")
  func synchronousPlacedOnAQueue() async throws {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "fieldstone.tests.reading")
    queue.setSpecific(key: key, value: true)
    let seen = Recorder<Bool>()
    var options = ExecutionOptions<SynchronousCountdown>()
    options.placement = { $0 == .at(1, passed: 1) ? .queue(queue) : .automatic }
    options.beforeStage = { _ in seen.record(DispatchQueue.getSpecific(key: key) ?? false) }
    #expect(try await SynchronousCountdown.from(2).execute(options: options) == 2)
    #expect(seen.elements == [false, true, false])
  }

  @Test("A priority and an executor can be given for one stage")
  func placedByPriorityAndExecutor() async throws {
    let executor = QueueExecutor()
    let priorities = Recorder<TaskPriority>()
    var options = ExecutionOptions<Countdown>()
    options.priority = .low
    options.placement = { stage in
      switch stage {
      case .at(2, _): .executor(executor)
      case .at(1, _): .priority(.high)
      default: .automatic
      }
    }
    options.beforeStage = { stage in
      if case .at(1, _) = stage { priorities.record(Task.currentPriority) }
    }
    _ = try await Countdown.from(3).execute(options: options)
    #expect(executor.jobCount > 0)
    #expect(priorities.elements == [.high])
  }

  @Test("The hook is called before each stage, in order")
  func hookBeforeEachStage() async throws {
    let seen = Recorder<Countdown>()
    let value = try await Countdown.from(2).execute(
      options: ExecutionOptions(beforeStage: { seen.record($0) }))
    #expect(value == 2)
    #expect(seen.elements == [.at(2, passed: 0), .at(1, passed: 1), .at(0, passed: 2)])
  }

  @Test("The hook is called before the work of its stage, placed or not", arguments: [true, false])
  func hookBeforeTheWork(isPlaced: Bool) async throws {
    enum Working: ContextualStage {
      case first, last
      func next(in log: Recorder<String>) async throws -> Step<Self, Int> {
        log.record("work of \(self)")
        return self == .last ? .complete(0) : .advance(to: .last)
      }
    }
    let log = Recorder<String>()
    _ = try await Working.first.execute(
      in: log,
      options: ExecutionOptions(
        placement: { _ in isPlaced ? .priority(.high) : .automatic },
        beforeStage: { log.record("before \($0)") }))
    #expect(log.elements == ["before first", "work of first", "before last", "work of last"])
  }

  @Test("A stage whose placement is automatic stays in the task of the execution")
  func automaticStaysInTheTask() async throws {
    let tasks = Recorder<Int?>()
    @Sendable func look() { tasks.record(withUnsafeCurrentTask { $0?.hashValue }) }
    var options = ExecutionOptions<Countdown>()
    options.placement = { _ in
      look()
      return .automatic
    }
    options.beforeStage = { _ in look() }
    _ = try await Countdown.from(1).execute(options: options)
    #expect(tasks.count == 4 && Set(tasks.elements).count == 1)
  }

  @Test("A stage stored as JSON at any point is resumed to the same end", arguments: 0...4)
  func storedAndResumed(position: Int) async throws {
    var stored: [Data] = []
    for try await stage in Countdown.from(4).stages {
      stored.append(try JSONEncoder().encode(stage))
    }
    #expect(stored.count == 5)
    let stage = try JSONDecoder().decode(Countdown.self, from: stored[position])
    #expect(try await stage.execute() == 4)
  }

  @Test("The sequence gives each stage before its work, and the completion at the end")
  func stagesAreASequence() async throws {
    var iterator = Countdown.from(1).stages.makeAsyncIterator()
    let step1 = try await iterator.next()
    #expect(step1 == .at(1, passed: 0))
    #expect(iterator.completion == nil)
    let step2 = try await iterator.next()
    #expect(step2 == .at(0, passed: 1))
    let step3 = try await iterator.next()
    #expect(step3 == nil)
    #expect(iterator.completion == 1)
    let step4 = try await iterator.next()
    #expect(step4 == nil)
  }

  @Test("The sequence heeds the hook and the placements of its options")
  func sequenceOptions() async throws {
    let executor = QueueExecutor()
    let seen = Recorder<Countdown>()
    let options = ExecutionOptions<Countdown>(
      placement: { _ in .executor(executor) }, beforeStage: { seen.record($0) })
    var given: [Countdown] = []
    for try await stage in Countdown.from(1).stages(in: (), options: options) {
      given.append(stage)
    }
    #expect(seen.elements == given)
    #expect(executor.jobCount >= 2)
  }

  @Test("A stage that throws ends the sequence of stages")
  func sequenceThrows() async throws {
    var iterator = FileOpen.parse(Data("{".utf8)).stages.makeAsyncIterator()
    let step5 = try await iterator.next()
    #expect(step5 == .parse(Data("{".utf8)))
    do {
      _ = try await iterator.next()
      Issue.record("It must throw.")
    } catch {
      #expect(error is DecodingError)
    }
    let step6 = try await iterator.next()
    #expect(step6 == nil)
    #expect(iterator.completion == nil)
  }

  @Test("An existential stage executes")
  func existentialStage() async throws {
    let stage: any Stage<Int> = Countdown.from(3)
    #expect(try await stage.execute() == 3)
  }
}
