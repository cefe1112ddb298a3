/// The arithmetic over samples.
public enum Statistics {
  /// The middle value, or the mean of the two middle ones; NaN for no samples.
  public static func median(_ samples: [Double]) -> Double {
    guard !samples.isEmpty else { return .nan }
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The median of the quotients of samples taken at the same turn.
  ///
  /// Whatever slows the machine for a while slows both samples of a turn, so the quotient is
  /// steadier than that of the two medians.
  public static func medianRatio(_ samples: [Double], to floor: [Double]) -> Double {
    median(zip(samples, floor).map { $0 / $1 })
  }
}
