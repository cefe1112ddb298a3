/// What a stage writes in the transaction of its checkpoint.
public struct CheckpointWrite: Sendable {
  private let body: @Sendable (Any) throws -> Void

  /// Makes a write; a journal says in its own words what the transaction is.
  public init(_ body: @escaping @Sendable (Any) throws -> Void) {
    self.body = body
  }

  /// Writes.
  ///
  /// - Throws: what the body throws; then the checkpoint is not made.
  public func perform(in transaction: Any) throws {
    try body(transaction)
  }
}
