import FieldstoneCore
import FieldstoneLoading
import Foundation
import Observation

/// A screen over an operation, of which there is a new one for each load.
@Observable
final class OperationSource<Output: Sendable>: ScreenSource {
  private(set) var knowledge = ScreenKnowledge()

  @ObservationIgnored private let make: @MainActor () -> StatefulOperation<Output>
  @ObservationIgnored private let queue: OperationQueue
  @ObservationIgnored private let isEmpty: (Output) -> Bool
  @ObservationIgnored private var operation: StatefulOperation<Output>?

  init(
    _ make: @escaping @MainActor () -> StatefulOperation<Output>, queue: OperationQueue?,
    isEmpty: @escaping (Output) -> Bool
  ) {
    self.make = make
    self.queue = queue ?? OperationQueue()
    self.isEmpty = isEmpty
  }

  func load() {
    cancel()
    let operation = make()
    self.operation = operation
    knowledge.isLoading = true
    operation.onFinish { [weak self, weak operation] outcome in
      if let operation { self?.take(outcome, of: operation) }
    }
    if let outcome = operation.currentOutcome {
      // One that has ended tells nobody any more, and no queue takes it.
      take(outcome, of: operation)
    } else if !operation.isExecuting {
      queue.addOperation(operation)
    }
  }

  func cancel() {
    guard let operation else { return }
    // What comes late is dropped.
    self.operation = nil
    knowledge.isLoading = false
    operation.cancel()
  }

  private func take(_ outcome: Outcome<Output>, of operation: StatefulOperation<Output>) {
    guard operation === self.operation else { return }
    self.operation = nil
    knowledge.end(with: outcome.map { isEmpty($0) ? .empty : .some })
  }
}
