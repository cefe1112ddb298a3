/// A worker's wish for runs.
public struct ClaimRequest: Sendable {
  /// Who asks.
  public var worker: String
  /// The flows that it can run and how many runs of each it has room for.
  public var flows: [FlowRoom]
  /// How long it has a run before it must renew.
  public var lease: Duration
  /// What it wants of runs that may have ended the worker before it.
  public var suspects: Suspects

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

  /// What a worker wants of the suspects: runs that are taken over after so many attempts at their
  /// stage or more, and so may have ended the worker that had them.
  public enum Suspects: Sendable, Hashable {
    /// They are given like others.
    case likeOthers
    /// They are left alone: the worker has other runs, which would end with it.
    case left(after: Int)
    /// One is given, and nothing beside it; when there is none, others are given.
    case alone(after: Int)

    /// How many attempts make a suspect; none can be so many where they are given like others.
    package var attempts: Int {
      switch self {
      case .likeOthers: .max
      case .left(let attempts), .alone(let attempts): attempts
      }
    }
  }

  /// Makes a request.
  public init(
    worker: String, flows: [FlowRoom], lease: Duration, suspects: Suspects = .likeOthers
  ) {
    self.worker = worker
    self.flows = flows
    self.lease = lease
    self.suspects = suspects
  }
}
