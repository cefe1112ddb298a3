/// What became of a local change, which has a number; for tools that show it.
package enum ChangeEvent: Sendable, Hashable {
  case updated(Int)
  case confirmed(Int)
  case rolledBack(Int)
}

/// A local change that no loaded value includes, with the values before and after it.
package struct NotedChange<Value: Sendable>: Sendable {
  package let id: Int
  /// Whether it can't be rolled back any more.
  package let isConfirmed: Bool
  package let old: Value
  package let new: Value
}

/// The same for values of any type.
struct ChangeStep {
  /// The most that are kept, with their values.
  static let limit = 50

  let id: Int
  let isConfirmed: Bool
  let old: any LoadedValue
  let new: any LoadedValue
}
