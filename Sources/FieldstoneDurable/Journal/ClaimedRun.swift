/// A run that a worker has on a lease.
public struct ClaimedRun: Sendable, Hashable {
  /// The run as it stands: running, its fence counted up, this attempt counted in.
  public var record: RunRecord
  /// The oldest signal of the name that the run awaits; nil when it awaits none or there is none.
  public var signal: SignalRecord?
  /// Whether it may have ended the worker before, and so is given alone.
  public var isSuspect: Bool

  /// Makes a claimed run.
  public init(record: RunRecord, signal: SignalRecord? = nil, isSuspect: Bool = false) {
    self.record = record
    self.signal = signal
    self.isSuspect = isSuspect
  }
}
