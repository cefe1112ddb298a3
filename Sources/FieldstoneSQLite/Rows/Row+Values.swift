#if SQLite
  import FieldstoneDurable
  import Foundation
  import GRDB

  // The database may be damaged: nothing that is read from it is taken for granted. Not
  // inlined: within the making of a record that crashes the optimiser of Swift 6.3.
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
