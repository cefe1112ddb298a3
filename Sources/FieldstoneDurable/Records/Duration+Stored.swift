extension Duration {
  /// The nanoseconds as databases store them, clamped to the range of `Int64`.
  package var stored: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooMuchWithRest) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    if isTooMuch || isTooMuchWithRest { return seconds < 0 ? .min : .max }
    return sum
  }
}
