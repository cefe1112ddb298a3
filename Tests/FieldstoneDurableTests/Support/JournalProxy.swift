import FieldstoneDurable

/// A journal that another is behind, with the test in between.
struct JournalProxy: JournalDecorator {
  typealias Call = JournalCall

  let journal: any Journal
  /// Called before it is done; what it throws is thrown, and then it is not done.
  var before: @Sendable (Call) async throws -> Void = { _ in }
  /// Called after it is done; what it throws is thrown all the same.
  var after: @Sendable (Call) async throws -> Void = { _ in }

  var decorated: any Journal { journal }

  func relay<Value: Sendable>(
    _ call: Call, _ body: () async throws -> Value
  ) async throws -> Value {
    try await before(call)
    let value = try await body()
    try await after(call)
    return value
  }
}
