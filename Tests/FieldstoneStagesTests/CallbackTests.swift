import FieldstoneCore
import FieldstoneStages
import FieldstoneTesting
import Foundation
import Testing

@Suite("Executing stages with a callback")
struct CallbackTests {
  @Test("The handler gets the completion, once")
  func givesTheCompletion() async throws {
    let heard = Recorder<Int>()
    let execution = Countdown.from(3).execute { useResult in
      heard.record((try? useResult()) ?? -1)
    }
    #expect(await heard.elements(atLeast: 1) == [3])
    #expect(try await execution.value == 3)
    execution.cancel()
    #expect(await execution.outcome.value == 3)
    #expect(heard.elements == [3])
  }

  @Test("The handler gets the error of any stage")
  func givesTheError() async {
    let heard = Recorder<String>()
    FileOpen.parse(Data("{}".utf8)).execute { useResult in
      do {
        _ = try useResult()
      } catch {
        heard.record("\(type(of: error))")
      }
    }
    #expect(await heard.elements(atLeast: 1) == ["DecodingError"])
  }

  @Test("The handler is called on the queue of the completion placement")
  func completesOnAQueue() async {
    let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "fieldstone.tests.completion")
    queue.setSpecific(key: key, value: true)
    let heard = Recorder<Bool>()
    Countdown.from(1).execute(options: ExecutionOptions(completionPlacement: .queue(queue))) { _ in
      heard.record(DispatchQueue.getSpecific(key: key) ?? false)
    }
    #expect(await heard.elements(atLeast: 1) == [true])
  }

  @Test("On the main queue the handler is on the main actor")
  func completesOnTheMainActor() async {
    let heard = Recorder<Bool>()
    Countdown.from(1).execute(options: ExecutionOptions(completionPlacement: .main)) { _ in
      MainActor.assumeIsolated { heard.record(MainDispatch.isOnMain) }
    }
    #expect(await heard.elements(atLeast: 1) == [true])
  }

  @Test("The priority of the options is the priority of the stages", arguments: [true, false])
  func priorityIsKept(isLow: Bool) async {
    enum Look: Stage {
      case once
      func next() async throws -> Step<Self, TaskPriority> { .complete(Task.currentPriority) }
    }
    let priority: TaskPriority = isLow ? .background : .high
    let heard = Recorder<TaskPriority?>()
    Look.once.execute(options: ExecutionOptions(priority: priority)) { useResult in
      heard.record(try? useResult())
    }
    #expect(await heard.elements(atLeast: 1) == [priority])
  }

  @Test("Cancelled, the work under way is cancelled")
  func cancelReachesTheWork() async {
    enum Polite: ContextualStage {
      case wait
      func next(in context: (gate: Gate, stopped: Gate)) async throws -> Step<Self, Int> {
        defer { context.stopped.open() }
        try await context.gate.waitUnlessCancelled()
        return .complete(1)
      }
    }
    let (gate, stopped) = (Gate(), Gate())
    let execution = Polite.wait.execute(in: (gate, stopped)) { _ in }
    await gate.arrivals(atLeast: 1)
    execution.cancel()
    await stopped.wait()
    #expect(!gate.isOpen)
  }

  @Test(
    "The handler is let go when it was called, also where the execution is kept",
    .timeLimit(.minutes(20)))
  func letsGoOfTheHandler() async {
    final class Marker: Sendable {
      let gone: Gate
      init(_ gone: Gate) { self.gone = gone }
      deinit { gone.open() }
    }
    let gone = Gate()
    var marker: Marker? = Marker(gone)
    let execution = Countdown.from(1).execute { [marker] _ in withExtendedLifetime(marker) {} }
    marker = nil
    execution.cancel()
    // Whoever calls the handler lets go of it after the end was told.
    await gone.wait()
    withExtendedLifetime(execution) { #expect(gone.isOpen) }
  }

  @Test("Cancelled, it ends at once, once and not as a failure, also when the work goes on")
  func cancelledEndsAtOnce() async {
    enum Stubborn: ContextualStage {
      case wait
      func next(in gate: Gate) async throws -> Step<Self, Int> {
        await gate.wait()
        return .complete(1)
      }
    }
    let gate = Gate()
    let heard = Recorder<String>()
    let execution = Stubborn.wait.execute(in: gate) { useResult in
      do {
        heard.record("\(try useResult())")
      } catch {
        heard.record("\(error)")
      }
    }
    await gate.arrivals(atLeast: 1)
    #expect(execution.currentOutcome == nil)
    execution.cancel()
    #expect(execution.currentOutcome?.cancellation == .caller)
    gate.open()
    await #expect(throws: CallCancelled(.caller)) { try await execution.value }
    #expect(heard.elements == ["\(CallCancelled(.caller))"])
  }

  @Test("Cancelled from a task that is cancelled itself, it tells the reason all the same")
  func cancelledByACancelledTask() async {
    enum Stubborn: ContextualStage {
      case wait
      func next(in gate: Gate) async throws -> Step<Self, Int> {
        await gate.wait()
        return .complete(1)
      }
    }
    let gate = Gate()
    let heard = Recorder<CallCancelled?>()
    let execution = Stubborn.wait.execute(in: gate) { useResult in
      do {
        _ = try useResult()
      } catch {
        heard.record(error as? CallCancelled)
      }
    }
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      execution.cancel()
    }.value
    gate.open()
    #expect(await heard.elements(atLeast: 1) == [CallCancelled(.caller)])
  }

  @Test("Who waits for the value and is cancelled leaves at once; the execution goes on")
  func waiterLeaves() async throws {
    enum Wait: ContextualStage {
      case once
      func next(in gate: Gate) async throws -> Step<Self, Int> {
        await gate.wait()
        return .complete(7)
      }
    }
    let gate = Gate()
    let execution = Wait.once.execute(in: gate) { _ in }
    let waiter = Task { try await execution.value }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    #expect(execution.currentOutcome == nil)
    gate.open()
    #expect(try await execution.value == 7)
  }
}
