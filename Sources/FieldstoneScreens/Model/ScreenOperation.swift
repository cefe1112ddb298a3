import FieldstoneCore
public import FieldstoneLoading
import Foundation
import Observation

/// An operation as a screen runs it, with whether there is anything in what it brings.
///
/// ```swift
/// override func makeOperation() -> ScreenOperation? {
///   ScreenOperation(LoadMessages(user).onSuccess { [weak self] in self?.messages = $0 })
/// }
/// ```
///
/// Its other handlers have returned when the screen shows how it ended. (Seed: `buildOperation()` of
/// Mold's stateful view controllers.)
@MainActor
public struct ScreenOperation {
  let operation: Foundation.Operation
  let onFinish: (@escaping @MainActor (Outcome<ScreenKnowledge.Content>) -> Void) -> Void
  let currentOutcome: () -> Outcome<ScreenKnowledge.Content>?

  /// Takes an operation that was not started.
  ///
  /// - Parameters:
  ///   - operation: what the screen runs.
  ///   - isEmpty: whether there is nothing in an output.
  public init<Output>(
    _ operation: StatefulOperation<Output>, isEmpty: @escaping (Output) -> Bool
  ) {
    self.operation = operation
    onFinish = { body in
      operation.onFinish { outcome in body(outcome.map { isEmpty($0) ? .empty : .some }) }
    }
    currentOutcome = { operation.currentOutcome?.map { isEmpty($0) ? .empty : .some } }
  }

  /// Takes an operation with a collection, which has no results when it is empty.
  ///
  /// - Parameter operation: what the screen runs; it was not started.
  public init<Output: Collection>(_ operation: StatefulOperation<Output>) {
    self.init(operation, isEmpty: \.isEmpty)
  }
}

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
