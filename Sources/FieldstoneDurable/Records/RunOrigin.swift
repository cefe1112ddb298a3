/// The stage of another run that a run was forked from.
public struct RunOrigin: Sendable, Hashable, Codable {
  /// The run that was forked.
  public var run: RunID
  /// The number of its stage at which the fork began.
  public var sequence: Int

  /// Makes an origin.
  public init(run: RunID, sequence: Int) {
    self.run = run
    self.sequence = sequence
  }
}
