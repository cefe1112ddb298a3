/// A worker's hold on a run: one with an older fence is refused.
public struct RunClaim: Sendable, Hashable {
  /// Names the run.
  public var id: RunID
  /// The number of the stage that is worked on.
  public var sequence: Int
  /// The fence that the run was claimed with.
  public var fence: Int

  /// Makes a claim.
  public init(id: RunID, sequence: Int, fence: Int) {
    self.id = id
    self.sequence = sequence
    self.fence = fence
  }
}
