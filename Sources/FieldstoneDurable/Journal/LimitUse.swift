public import Foundation

/// The limits of a run's flow, and the runs that hold their places.
public struct LimitUse: Sendable, Hashable {
  /// The limits of the flow.
  public var limits: FlowLimits
  /// The runs that count for ``FlowLimits/runs``, sorted by identifier.
  ///
  /// At most as many as the limit; none if whole runs count and the run has a place itself.
  public var flowHolders: [RunID]
  /// The other runs with places of the run's concurrency key, sorted by identifier.
  ///
  /// At most as many as the limit; none if the run has a place itself.
  public var keyHolders: [RunID]
  /// When ``FlowLimits/rate`` has a token again; nil if the last claim found one.
  public var nextToken: Date?

  /// Makes a value.
  public init(
    limits: FlowLimits, flowHolders: [RunID] = [], keyHolders: [RunID] = [], nextToken: Date? = nil
  ) {
    self.limits = limits
    self.flowHolders = flowHolders
    self.keyHolders = keyHolders
    self.nextToken = nextToken
  }

  /// The limit that holds back a due run; nil if none does.
  func reason(for record: RunRecord, at date: Date) -> RunWaitReason? {
    if let key = record.concurrencyKey, let maximum = limits.perKey?.maximum,
      keyHolders.count >= maximum
    {
      return .keyLimit(key, maximum, heldBy: keyHolders)
    }
    if let maximum = limits.runs, flowHolders.count >= maximum {
      return .flowLimit(maximum, counting: limits.counting, heldBy: flowHolders)
    }
    if let nextToken, nextToken > date { return .rate(next: nextToken) }
    return nil
  }
}
