/// A run that a worker has on a lease.
public struct ClaimedRun: Sendable, Hashable {
  /// The run as it stands: running, its fence counted up, this attempt counted in.
  public var record: RunRecord
  /// The oldest signal of the name that the run awaits; nil when it awaits none or there is none.
  public var signal: SignalRecord?
  /// Whether it is in quarantine: given with its group and nothing else.
  public var isCrashSuspected: Bool
  /// Whether it is tried alone, so that a crash counts as a lone one.
  public var isAlone: Bool

  /// Makes a claimed run.
  public init(
    record: RunRecord, signal: SignalRecord? = nil, isCrashSuspected: Bool = false,
    isAlone: Bool = false
  ) {
    self.record = record
    self.signal = signal
    self.isCrashSuspected = isCrashSuspected
    self.isAlone = isAlone
  }
}
