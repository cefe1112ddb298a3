import FieldstoneCore
import Foundation
import Observation

/// A screen over an operation, of which there is a new one for each load.
@Observable
final class OperationSource: ScreenSource {
  private(set) var knowledge = ScreenKnowledge()

  @ObservationIgnored private let make: @MainActor () -> ScreenOperation?
  @ObservationIgnored private let queue: OperationQueue
  @ObservationIgnored private var operation: Foundation.Operation?

  init(queue: OperationQueue?, _ make: @escaping @MainActor () -> ScreenOperation?) {
    self.make = make
    self.queue = queue ?? OperationQueue()
  }

  func load() {
    // Where there is nothing to load, all stays as it is.
    guard let next = make() else { return }
    cancel()
    let operation = next.operation
    self.operation = operation
    knowledge.isLoading = true
    next.onFinish { [weak self, weak operation] outcome in
      if let operation { self?.take(outcome, of: operation) }
    }
    if let outcome = next.currentOutcome() {
      // An operation that has ended calls no handler any more, and no queue takes it.
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

  private func take(
    _ outcome: Outcome<ScreenKnowledge.Content>, of operation: Foundation.Operation
  ) {
    guard operation === self.operation else { return }
    self.operation = nil
    knowledge.end(with: outcome)
  }
}
