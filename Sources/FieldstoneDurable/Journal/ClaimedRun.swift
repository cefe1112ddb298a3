/// A run that a worker has on a lease.
public struct ClaimedRun: Sendable, Hashable {
  /// The run as it stands: running, its fence counted up, this attempt counted in.
  public var record: RunRecord
  /// The oldest signal of the name that the run awaits; nil when it awaits none or there is none.
  public var signal: SignalRecord?

  /// Makes a claimed run.
  public init(record: RunRecord, signal: SignalRecord? = nil) {
    self.record = record
    self.signal = signal
  }
}
