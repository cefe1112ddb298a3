/// A worker's wish for runs.
public struct ClaimRequest: Sendable {
  /// The name of the worker that asks.
  public var worker: String
  /// The flows that it can run and how many runs of each it has room for.
  public var flows: [FlowRoom]
  /// How long it has a run before it must renew.
  public var lease: Duration
  /// How many runs it takes at most, of all flows together; a group in quarantine is not bound by it.
  public var limit: Int
  /// What it wants of runs that may have ended their worker.
  public var quarantine: Quarantine
  /// Which promises of a journal the worker knows; this code's unless set.
  ///
  /// 1 is that of Fieldstone 0.1, 2 knows pauses and limits. A journal that keeps one of these gives
  /// nothing to a worker that would ignore it.
  public var protocolVersion = Self.newestProtocolVersion

  /// The version that this code knows.
  public static var newestProtocolVersion: Int { 2 }

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

  /// What a worker wants of the crash-suspected runs: those whose workers have died so many times at
  /// their stage.
  ///
  /// The number is at least one; smaller ones count as one.
  public enum Quarantine: Sendable, Hashable {
    /// They are given like others, and none becomes one.
    case disregarded
    /// They are left alone: others come first, or the worker tries a group already.
    case left(after: Int)
    /// The next group of two runs or more is given, and nothing beside it; without one, others are.
    case group(after: Int)
    /// The next group is given, also one of a single run, and nothing beside it; without one, others
    /// are. The worker has no other runs.
    case alone(after: Int)

    /// How many crashes make a crash-suspected run; none can be so many where they are disregarded.
    package var crashes: Int {
      switch self {
      case .disregarded: .max
      case .left(let crashes), .group(let crashes), .alone(let crashes): max(1, crashes)
      }
    }
  }

  /// Makes a request.
  public init(
    worker: String, flows: [FlowRoom], lease: Duration, limit: Int = .max,
    quarantine: Quarantine = .disregarded
  ) {
    self.worker = worker
    self.flows = flows
    self.lease = lease
    self.limit = limit
    self.quarantine = quarantine
  }
}
