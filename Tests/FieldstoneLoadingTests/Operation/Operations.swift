import Dispatch
import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation

/// The three ways to write an operation.
enum Style: CaseIterable, Sendable {
  case synchronous
  case asynchronous
  case callback

  /// An operation of this style that comes to a result.
  func operation<Output>(
    _ result: Result<Output, Failure>, _ began: Recorder<String> = Recorder()
  ) -> StatefulOperation<Output> {
    switch self {
    case .synchronous: SynchronousOperation(result, began)
    case .asynchronous: AsynchronousOperation(result, began)
    case .callback: CallbackOperation(result, began)
    }
  }
}

final class SynchronousOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  let result: Result<Output, Failure>
  let began: Recorder<String>

  init(_ result: Result<Output, Failure>, _ began: Recorder<String>) {
    self.result = result
    self.began = began
    super.init()
  }

  override func run() throws -> Output {
    began.record("work")
    return try result.get()
  }
}

final class AsynchronousOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable
{
  let result: Result<Output, Failure>
  let began: Recorder<String>

  init(_ result: Result<Output, Failure>, _ began: Recorder<String>) {
    self.result = result
    self.began = began
    super.init()
  }

  override func run() async throws -> Output {
    await Task.yield()
    began.record(MainDispatch.isOnMain ? "work on main" : "work")
    return try result.get()
  }
}

final class CallbackOperation<Output: Sendable>: StatefulOperation<Output>, @unchecked Sendable {
  let result: Result<Output, Failure>
  let began: Recorder<String>

  init(_ result: Result<Output, Failure>, _ began: Recorder<String>) {
    self.result = result
    self.began = began
    super.init()
  }

  override func main() {
    DispatchQueue.global().async {
      self.began.record("work")
      self.finish(self.result.mapError { $0 })
    }
  }
}

/// An operation that the test finishes by hand, and that writes down what it is asked to do.
final class HandOperation: StatefulOperation<Int>, @unchecked Sendable {
  let log = Recorder<String>()

  override func main() { log.record("main") }
  override func onCancel() { log.record("cancel") }
}

/// An operation whose synchronous work keeps its thread until the test lets it go.
final class BlockingOperation: StatefulOperation<Int>, @unchecked Sendable {
  let log = Recorder<String>()
  private let semaphore = DispatchSemaphore(value: 0)

  override func run() throws -> Int {
    log.record("began")
    semaphore.wait()
    log.record("returns")
    return 1
  }

  override func onCancel() { log.record("cancel") }

  func letGo() { semaphore.signal() }
}

extension Operation {
  /// Written down when the operation has finished for its queue; asked before it is added to one.
  func finishes() -> Recorder<Bool> {
    let recorder = Recorder<Bool>()
    completionBlock = { [unowned self] in recorder.record(isFinished && !isExecuting) }
    return recorder
  }
}

extension StatefulOperation {
  /// Writes down everything that it tells, and where.
  @discardableResult
  func recorded(by heard: Recorder<String>) -> Self {
    func record(_ text: String) { heard.record(MainDispatch.isOnMain ? text : "\(text) off main") }
    return
      self
      .onFinish { record("finish \($0.name)") }
      .onFail { record("fail \($0)") }
      .onSuccess { record("success \($0)") }
      .onReturn { record("return") }
      .onStart { record("start") }
  }
}

extension Outcome {
  /// One word or two, to write down.
  var name: String {
    switch self {
    case .success: "success"
    case .failure: "failure"
    case .cancelled(let reason): "cancelled \(reason.rawValue)"
    }
  }
}

extension OperationQueue {
  /// Adds operations, one after the other, from asynchronous code.
  func add(_ operations: [Operation]) {
    for operation in operations { addOperation(operation) }
  }
}

/// Runs a body on a thread that may be blocked, and waits for it without blocking.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}
