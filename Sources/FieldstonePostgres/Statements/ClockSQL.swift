#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The server's clock in a statement, read once in each.
  ///
  /// `clock_timestamp()`, never `now()`: that stands still in a transaction, which may have waited.
  enum ClockSQL {
    /// What the first common table of a statement is; the parameter is NULL but in tests.
    static func table(_ parameter: Int) -> String {
      """
      clock AS MATERIALIZED (\
      SELECT COALESCE($\(parameter)::timestamptz, clock_timestamp()) AS now)
      """
    }

    static func with(_ parameter: Int) -> String { "WITH \(table(parameter))" }

    /// A value that indices can be searched by.
    static let now = "(SELECT now FROM clock)"

    /// So many microseconds.
    static func microseconds(_ count: String) -> String {
      "\(count) * interval '1 microsecond'"
    }
  }

  extension JournalStatements {
    /// The parameter of ``ClockSQL``.
    var now: PostgresParameter { .date(session.clock?()) }

    /// How far a date is from the caller's clock.
    static func distance(of date: Date, from time: JournalTime) -> PostgresParameter {
      microseconds(date.timeIntervalSince(time.date))
    }

    static func lease(_ lease: Duration) -> PostgresParameter { microseconds(lease / .seconds(1)) }

    /// As many as have room in a date beside the server's own.
    static func microseconds(_ seconds: TimeInterval) -> PostgresParameter {
      .integer(boundedMicroseconds(seconds))
    }

    static func boundedMicroseconds(_ seconds: TimeInterval) -> Int {
      guard !seconds.isNaN else { return 0 }
      return Int((min(max(seconds, -30_000_000_000), 30_000_000_000) * 1_000_000).rounded())
    }
  }
#endif
