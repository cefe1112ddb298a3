public import Foundation

/// The limits of a run's flow, and the runs that have their places.
public struct LimitUse: Sendable, Hashable {
  /// The limits of the flow.
  public var limits: FlowLimits
  /// The runs that count for ``FlowLimits/runs``, in the order of their identifiers: no more than the
  /// limit.
  public var flowHolders: [RunID]
  /// The other runs that have places of the run's concurrency key, in the order of their identifiers: no
  /// more than the limit, and none where the run has a place itself.
  public var keyHolders: [RunID]
  /// When there is a token of ``FlowLimits/rate`` again; nil where one was there at the last claim.
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

  /// The limit that keeps a run which is due; nil when none does.
  func reason(for record: RunRecord, at date: Date) -> RunWaitReason? {
    if let key = record.concurrencyKey, let maximum = limits.perKey?.maximum,
      keyHolders.count >= maximum
    {
      return .keyLimit(key, maximum, heldBy: keyHolders)
    }
    if let maximum = limits.runs, flowHolders.count >= maximum {
      return .flowLimit(maximum, heldBy: flowHolders)
    }
    if let nextToken, nextToken > date { return .rate(next: nextToken) }
    return nil
  }
}
