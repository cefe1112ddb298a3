/// Receives the reports of a load before its end.
///
/// Reports are delivered in the order in which they were made. Reports after the end of the load
/// are dropped.
public struct LoadEvents<Output: Sendable>: Sendable {
  private let onProgress: (@Sendable (LoadProgress) -> Void)?
  private let onEarlyValue: (@Sendable (Output) -> Void)?

  /// Makes a receiver of reports; a report without a closure is dropped.
  public init(
    onProgress: (@Sendable (LoadProgress) -> Void)? = nil,
    onEarlyValue: (@Sendable (Output) -> Void)? = nil
  ) {
    self.onProgress = onProgress
    self.onEarlyValue = onEarlyValue
  }

  /// Reports progress; a fraction is clamped to 0...1, and NaN counts as indeterminate.
  public func progress(_ progress: LoadProgress) {
    guard let onProgress else { return }
    switch progress {
    case .indeterminate: onProgress(.indeterminate)
    case .fraction(let part):
      onProgress(part.isNaN ? .indeterminate : .fraction(min(max(part, 0), 1)))
    }
  }

  /// Reports a value to show until the final one arrives.
  public func early(_ value: Output) {
    onEarlyValue?(value)
  }
}

/// The progress of a load.
public enum LoadProgress: Sendable, Hashable {
  /// Under way, with unknown progress.
  case indeterminate
  /// The completed fraction, from 0 to 1.
  case fraction(Double)
}
