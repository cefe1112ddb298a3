#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  // The database may be damaged, so every value is checked. The accessors are not inlined: inlined
  // into the initialisation of a record, they crash the optimiser of Swift 6.3.
  extension Row {
    @inline(never) func whole(_ index: Int) throws -> Int { try value(index) }
    @inline(never) func text(_ index: Int) throws -> String { try value(index) }
    @inline(never) func bytes(_ index: Int) throws -> Data { try value(index) }

    @inline(never) func date(_ index: Int) throws -> Date {
      Date(timeIntervalSinceReferenceDate: try value(index))
    }

    @inline(never) func optionalText(_ index: Int) -> String? {
      String.fromDatabaseValue(self[index])
    }
    @inline(never) func optionalWhole(_ index: Int) -> Int? { Int.fromDatabaseValue(self[index]) }

    @inline(never) func optionalDate(_ index: Int) -> Date? {
      Double.fromDatabaseValue(self[index]).map(Date.init(timeIntervalSinceReferenceDate:))
    }

    private func value<Value: DatabaseValueConvertible>(
      _ index: Int
    ) throws -> Value {
      guard let value = Value.fromDatabaseValue(self[index]) else {
        throw JournalError.corrupt("a column holds what it can't")
      }
      return value
    }
  }

  extension Date {
    /// The seconds as stored, bit for bit; a date that is not a number becomes the distant past.
    var stored: Double {
      timeIntervalSinceReferenceDate.isNaN
        ? Date.distantPast.timeIntervalSinceReferenceDate : timeIntervalSinceReferenceDate
    }
  }

  extension Duration {
    /// The nanoseconds as stored, clamped to the range of `Int64`.
    var stored: Int64 {
      let (seconds, attoseconds) = components
      let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, isTooMuchWithRest) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
      if isTooMuch || isTooMuchWithRest { return seconds < 0 ? .min : .max }
      return sum
    }
  }
#endif
