#if SQLite
  import Foundation

  extension Date {
    /// The seconds as they are stored: the same bits come back; what is no number is long ago.
    var stored: Double {
      timeIntervalSinceReferenceDate.isNaN
        ? Date.distantPast.timeIntervalSinceReferenceDate : timeIntervalSinceReferenceDate
    }
  }

  extension Duration {
    /// The nanoseconds as they are stored, as many as there is room for.
    var stored: Int64 {
      let (seconds, attoseconds) = components
      let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isTooMuchWithRest) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      if isTooMuch || isTooMuchWithRest { return seconds < 0 ? .min : .max }
      return sum
    }
  }
#endif
