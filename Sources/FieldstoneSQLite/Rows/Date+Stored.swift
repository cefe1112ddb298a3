#if SQLite
  import Foundation

  extension Date {
    /// The seconds as stored, bit for bit; a date that is not a number becomes the distant past.
    var stored: Double {
      timeIntervalSinceReferenceDate.isNaN
        ? Date.distantPast.timeIntervalSinceReferenceDate : timeIntervalSinceReferenceDate
    }
  }
#endif
