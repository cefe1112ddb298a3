import FieldstoneCore
public import FieldstoneLoading
import Foundation

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
