/// Where a load reports what happens before it ends.
///
/// Reports are delivered in the order in which they were made. Reports after the end of the load
/// are dropped.
public struct LoadEvents<Output: Sendable>: Sendable {
  private let onProgress: (@Sendable (LoadProgress) -> Void)?
  private let onEarlyValue: (@Sendable (Output) -> Void)?

  /// Makes a place for reports; a report without a listener is dropped.
  public init(
    onProgress: (@Sendable (LoadProgress) -> Void)? = nil,
    onEarlyValue: (@Sendable (Output) -> Void)? = nil
  ) {
    self.onProgress = onProgress
    self.onEarlyValue = onEarlyValue
  }

  /// Reports how far the load has come; a fraction outside 0 to 1 is brought inside, and one that
  /// is not a number is indeterminate.
  public func progress(_ progress: LoadProgress) {
    guard let onProgress else { return }
    switch progress {
    case .indeterminate: onProgress(.indeterminate)
    case .fraction(let part):
      onProgress(part.isNaN ? .indeterminate : .fraction(min(max(part, 0), 1)))
    }
  }

  /// Reports a value that can be shown until the final one is there.
  public func early(_ value: Output) {
    onEarlyValue?(value)
  }
}

/// How far a load has come.
public enum LoadProgress: Sendable, Hashable {
  /// It is under way, and how far is unknown.
  case indeterminate
  /// The part that is done, from 0 to 1.
  case fraction(Double)
}
