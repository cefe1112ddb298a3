#if PostgreSQL
  import Foundation

  extension Date {
    /// The seconds from PostgreSQL's epoch, the year 2000, to Foundation's.
    private static let epoch: Double = 31_622_400

    /// Microseconds since the year 2000, clamped; a date that is not a number becomes the distant
    /// past.
    var stored: Int64 {
      let seconds = timeIntervalSinceReferenceDate
      guard !seconds.isNaN else { return Date.distantPast.stored }
      // Within PostgreSQL's range, from 4713 BC to 294276 AD.
      let bounded = min(max(seconds, -211_000_000_000), 9_000_000_000_000)
      return Int64(((bounded + Self.epoch) * 1_000_000).rounded())
    }

    init(stored: Int64) {
      // Splits off the whole seconds, so that exact binary fractions survive the round trip.
      let (seconds, microseconds) = stored.quotientAndRemainder(dividingBy: 1_000_000)
      self.init(
        timeIntervalSinceReferenceDate: Double(seconds) - Self.epoch + Double(microseconds)
          / 1_000_000)
    }
  }
#endif
