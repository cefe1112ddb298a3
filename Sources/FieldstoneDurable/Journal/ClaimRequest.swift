/// A worker's request for runs.
public struct ClaimRequest: Sendable {
  /// The name of the worker.
  public var worker: String
  /// The flows that it can run, with its room for runs of each.
  public var flows: [FlowRoom]
  /// How long it holds a run before it must renew.
  public var lease: Duration
  /// The largest number of runs, of all flows together; a group in quarantine may exceed it.
  public var limit: Int
  /// How it handles runs that may have ended their worker.
  public var quarantine: Quarantine
  /// The protocol version that the worker knows; this code's unless set.
  ///
  /// Version 1 is that of Fieldstone 0.1; version 2 knows pauses and limits. A journal with pauses
  /// or limits gives no runs to a worker that would ignore them.
  public var protocolVersion = Self.newestProtocolVersion

  /// The newest version that this code knows.
  package static var newestProtocolVersion: Int { 2 }

  /// A flow, the versions that a worker can run, and its room for runs.
  public struct FlowRoom: Sendable, Hashable {
    /// The name of the flow.
    public var flow: String
    /// The highest version that the worker can read; newer runs are left alone.
    public var version: Int
    /// The largest number of runs.
    public var limit: Int

    /// Makes a room.
    public init(flow: String, version: Int, limit: Int) {
      self.flow = flow
      self.version = version
      self.limit = limit
    }
  }

  /// How a worker handles crash-suspected runs: those with a number of crashes at their stage.
  ///
  /// The number is at least one; smaller numbers count as one.
  public enum Quarantine: Sendable, Hashable {
    /// They are given like others, and no run becomes crash-suspected.
    case disregarded
    /// They are left alone: other runs come first, or the worker is already trying a group.
    case left(after: Int)
    /// The next group of two runs or more is given, and nothing beside it; without one, other runs
    /// are.
    case group(after: Int)
    /// The next group is given, even one of a single run, and nothing beside it.
    ///
    /// Without one, other runs are given. The worker must hold no other runs.
    case alone(after: Int)

    /// The number of crashes that makes a run crash-suspected; unreachable if they are disregarded.
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

  /// The request without the flows whose names no run has.
  ///
  /// - Throws: `JournalError.containsNUL` if the worker's name contains one: it could be taken for
  ///   another worker, which would lose its runs.
  package func checked() throws(JournalError) -> Self {
    try worker.checkName()
    guard !flows.allSatisfy(\.flow.isStorable) else { return self }
    var request = self
    request.flows.removeAll { !$0.flow.isStorable }
    return request
  }
}
