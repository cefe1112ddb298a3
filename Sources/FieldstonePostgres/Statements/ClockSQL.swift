#if PostgreSQL
  import FieldstoneDurable
  import Foundation

  /// The server's clock in a statement, read once per statement.
  ///
  /// It uses `clock_timestamp()`, not `now()`, which stays constant in a transaction that may have
  /// waited.
  enum ClockSQL {
    /// The first common table of a statement; the parameter is NULL except in tests.
    static func table(_ parameter: Int) -> String {
      """
      clock AS MATERIALIZED (\
      SELECT COALESCE($\(parameter)::timestamptz, clock_timestamp()) AS now)
      """
    }

    static func with(_ parameter: Int) -> String { "WITH \(table(parameter))" }

    /// The current time as a value that index searches can use.
    static let now = "(SELECT now FROM clock)"

    /// An interval of microseconds.
    static func microseconds(_ count: String) -> String {
      "\(count) * interval '1 microsecond'"
    }
  }

  extension JournalStatements {
    /// The parameter of ``ClockSQL``.
    var now: PostgresParameter { .date(session.clock?()) }

    /// The distance of a date from the caller's clock.
    static func distance(of date: Date, from time: JournalTime) -> PostgresParameter {
      microseconds(date.timeIntervalSince(time.date))
    }

    static func lease(_ lease: Duration) -> PostgresParameter { microseconds(lease / .seconds(1)) }

    /// The seconds as microseconds, clamped so that the sum with the server's time is a valid date.
    static func microseconds(_ seconds: TimeInterval) -> PostgresParameter {
      .integer(boundedMicroseconds(seconds))
    }

    static func boundedMicroseconds(_ seconds: TimeInterval) -> Int {
      guard !seconds.isNaN else { return 0 }
      return Int((min(max(seconds, -30_000_000_000), 30_000_000_000) * 1_000_000).rounded())
    }
  }
#endif
