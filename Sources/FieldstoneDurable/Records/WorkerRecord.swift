public import Foundation

/// A worker's announcement of itself in a journal.
///
/// A worker announces itself when it begins and about once an ``interval`` while it works. It
/// leaves no record when it ends gracefully. A dead worker's record stays for a day.
public struct WorkerRecord: Sendable, Hashable, Codable, Identifiable {
  /// A flow that a worker runs.
  public struct Flow: Sendable, Hashable, Codable {
    /// The name of the flow.
    public var name: String
    /// The newest version that the worker knows.
    public var version: Int

    /// Makes a flow.
    public init(name: String, version: Int) {
      self.name = name
      self.version = version
    }
  }

  /// The worker's name, from ``DurableRunnerOptions/worker``.
  public var name: String
  /// The machine's host name.
  public var machine: String
  /// The process identifier.
  public var process: Int
  /// The version of the protocol that the worker knows.
  public var protocolVersion: Int
  /// The flows that it runs, by their names; the first 1,000.
  public var flows: [Flow]
  /// When it began to work, by the journal's clock.
  public var startedAt: Date
  /// When it last announced itself, by the journal's clock.
  public var lastSeenAt: Date
  /// The time between two announcements.
  public var interval: Duration
  /// The number of runs that it worked on at its last announcement.
  public var runCount: Int
  /// The runs that it worked on at its last announcement, in the order of their claims; the first 20.
  public var runs: [RunID]

  /// Identifies the worker.
  public var id: String { name }

  /// Makes a record.
  public init(
    name: String, machine: String, process: Int, protocolVersion: Int, flows: [Flow],
    startedAt: Date, lastSeenAt: Date, interval: Duration, runCount: Int = 0, runs: [RunID] = []
  ) {
    self.name = name
    self.machine = machine
    self.process = process
    self.protocolVersion = protocolVersion
    self.flows = flows
    self.startedAt = startedAt
    self.lastSeenAt = lastSeenAt
    self.interval = interval
    self.runCount = runCount
    self.runs = runs
  }

  /// Whether it has missed two announcements, and so has most likely died or hangs.
  ///
  /// - Parameter date: the current time by the journal's clock, which with PostgreSQL is the
  ///   server's.
  public func isSilent(at date: Date) -> Bool {
    date.timeIntervalSince(lastSeenAt) > 3 * (interval / .seconds(1))
  }

  /// The newest version of each flow that a live worker has; nil if that is unknown.
  ///
  /// A journal without announced workers may have others: it keeps no workers, or theirs are of
  /// another version. A record has the first thousand flows of a worker. O(n) in all flows.
  package static func flows(of workers: [WorkerRecord], at date: Date) -> [String: Int]? {
    if workers.isEmpty { return nil }
    var flows: [String: Int] = [:]
    for worker in workers where !worker.isSilent(at: date) {
      if worker.flows.count >= 1_000 { return nil }
      for flow in worker.flows { flows[flow.name] = max(flows[flow.name] ?? .min, flow.version) }
    }
    return flows
  }

  /// How long the record of a silent worker stays: a day.
  ///
  /// After that, the next announcement of any worker removes it, and so does a purge.
  package static let retention = Duration.seconds(86_400)
}
