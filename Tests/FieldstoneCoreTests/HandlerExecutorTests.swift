import Dispatch
import FieldstoneCore
import FieldstoneTesting
import Testing

@Suite("Where handlers run")
struct HandlerExecutorTests {
  private let queue = DispatchQueue(label: "fieldstone.tests.handlers")

  @Test("The main queue is the main executor, and each queue is an executor of its own")
  func sameness() {
    let executors: [HandlerExecutor] = [.main, .anywhere, .queue(queue), .queue(.global())]
    for (number, executor) in executors.enumerated() {
      #expect(executors.indices.filter { executor.isSame(as: executors[$0]) } == [number])
    }
    #expect(HandlerExecutor.queue(.main).isSame(as: .main))
    #expect(HandlerExecutor.queue(queue).isSame(as: .queue(queue)))
  }

  @Test("A queue is here on itself and on a queue that targets it, and nowhere else")
  func queueIsHere() {
    let executor = HandlerExecutor.queue(queue)
    let above = DispatchQueue(label: "fieldstone.tests.above", target: queue)
    #expect(!executor.isHere && HandlerExecutor.anywhere.isHere)
    #expect(queue.sync { executor.isHere })
    #expect(above.sync { executor.isHere })
    #expect(DispatchQueue(label: "fieldstone.tests.beside").sync { !executor.isHere })
  }

  @Test("A handler is waited for on its queue, in place when already there")
  func waits() {
    let (executor, heard) = (HandlerExecutor.queue(queue), Recorder<Bool>())
    executor.wait { heard.record(executor.isHere) }
    queue.sync { executor.wait { heard.record(executor.isHere) } }
    #expect(heard.elements == [true, true])
  }

  @Test("Anywhere is in place, and a handler on a queue comes later")
  func later() async {
    let heard = Recorder<String>()
    HandlerExecutor.anywhere.later { heard.record("anywhere") }
    #expect(heard.elements == ["anywhere"])
    let executor = HandlerExecutor.queue(queue)
    queue.sync {
      executor.later { heard.record("queue") }
      #expect(heard.elements == ["anywhere"])
    }
    #expect(await heard.elements(atLeast: 2) == ["anywhere", "queue"])
    HandlerExecutor.main.later { heard.record("main \(HandlerExecutor.main.isHere)") }
    #expect(await heard.elements(atLeast: 3).last == "main true")
  }
}
