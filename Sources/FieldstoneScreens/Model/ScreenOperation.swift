import FieldstoneCore
public import FieldstoneLoading
import Foundation
import Observation

/// An operation that loads a screen's content.
///
/// ```swift
/// override func makeOperation() -> ScreenOperation? {
///   ScreenOperation(LoadMessages(user).onSuccess { [weak self] in self?.messages = $0 })
/// }
/// ```
///
/// The operation's handlers return before the screen shows its outcome. (Seed: `buildOperation()` of
/// Mold's stateful view controllers.)
@MainActor
public struct ScreenOperation {
  let operation: Foundation.Operation
  let onFinish: (@escaping @MainActor (Outcome<ScreenKnowledge.Content>) -> Void) -> Void
  let currentOutcome: () -> Outcome<ScreenKnowledge.Content>?

  /// Makes a screen operation.
  ///
  /// - Parameters:
  ///   - operation: an operation that was not started.
  ///   - isEmpty: true for an output without content.
  public init<Output>(
    _ operation: StatefulOperation<Output>, isEmpty: @escaping (Output) -> Bool
  ) {
    self.operation = operation
    onFinish = { body in
      operation.onFinish { outcome in body(outcome.map { isEmpty($0) ? .empty : .some }) }
    }
    currentOutcome = { operation.currentOutcome?.map { isEmpty($0) ? .empty : .some } }
  }

  /// Makes a screen operation with a collection as its output.
  ///
  /// - Parameter operation: an operation that was not started.
  public init<Output: Collection>(_ operation: StatefulOperation<Output>) {
    self.init(operation, isEmpty: \.isEmpty)
  }
}

/// The content of operations, with a new one for each load.
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
    // Without an operation nothing changes.
    guard let next = make() else { return }
    cancel()
    let operation = next.operation
    self.operation = operation
    knowledge.isLoading = true
    next.onFinish { [weak self, weak operation] outcome in
      if let operation { self?.take(outcome, of: operation) }
    }
    if let outcome = next.currentOutcome() {
      // An operation that has ended calls no more handlers, and can't be added to a queue.
      take(outcome, of: operation)
    } else if !operation.isExecuting {
      queue.addOperation(operation)
    }
  }

  func cancel() {
    guard let operation else { return }
    // A late outcome is dropped.
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
