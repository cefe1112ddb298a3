#if PostgreSQL
  import Foundation

  extension Date {
    /// The seconds from PostgreSQL's epoch, the year 2000, to Foundation's.
    private static let epoch: Double = 31_622_400

    /// Microseconds since the year 2000, as many as there is room for; what is no number is long ago.
    var stored: Int64 {
      let seconds = timeIntervalSinceReferenceDate
      guard !seconds.isNaN else { return Date.distantPast.stored }
      // PostgreSQL's own bounds: 4713 before and 294,276 after the beginning of our count.
      let bounded = min(max(seconds, -211_000_000_000), 9_000_000_000_000)
      return Int64(((bounded + Self.epoch) * 1_000_000).rounded())
    }

    init(stored: Int64) {
      // The whole seconds apart: then what binary fractions hold comes back as it was.
      let (seconds, microseconds) = stored.quotientAndRemainder(dividingBy: 1_000_000)
      self.init(
        timeIntervalSinceReferenceDate: Double(seconds) - Self.epoch + Double(microseconds)
          / 1_000_000)
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
