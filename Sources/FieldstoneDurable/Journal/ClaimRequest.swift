/// A worker's wish for runs.
public struct ClaimRequest: Sendable {
  /// Who asks.
  public var worker: String
  /// The flows that it can run and how many runs of each it has room for.
  public var flows: [FlowRoom]
  /// How long it has a run before it must renew.
  public var lease: Duration

  /// A flow, the versions that a worker can run, and for how many runs it has room.
  public struct FlowRoom: Sendable, Hashable {
    /// The name of the flow.
    public var flow: String
    /// The highest version that it understands; newer ones are left alone.
    public var version: Int
    /// How many runs it takes at most.
    public var limit: Int

    /// Makes a wish.
    public init(flow: String, version: Int, limit: Int) {
      self.flow = flow
      self.version = version
      self.limit = limit
    }
  }

  /// Makes a request.
  public init(worker: String, flows: [FlowRoom], lease: Duration) {
    self.worker = worker
    self.flows = flows
    self.lease = lease
  }
}
