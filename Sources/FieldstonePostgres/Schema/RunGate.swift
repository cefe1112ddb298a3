#if PostgreSQL
  /// The reasons why a ready run can't be claimed, as bits of a column.
  enum RunGate {
    /// The run's concurrency key has no free place.
    static let limit = 1
    /// The run itself is paused.
    static let run = 2
    /// Its concurrency key is paused.
    static let key = 4
    /// Its flow was paused while the run was running.
    static let flow = 8

    /// All pauses.
    static let paused = run | key | flow
    /// The gates that contain one of some bits.
    static func all(_ bits: Int) -> [Int] { (1...15).filter { $0 & bits > 0 } }

    /// The condition of the indices of ready runs.
    static let open = "state = 0 AND quarantine IS NULL AND gate = 0"

    /// The gate of a run that is inserted or becomes ready again, without its own pause.
    ///
    /// The transaction holds the lock of the pauses, so that no run misses a pause.
    static func ofKey(flow: String, concurrency: String) -> String {
      """
      (CASE WHEN \(concurrency) IS NOT NULL AND EXISTS (SELECT 1 FROM pause p \
      WHERE p.kind = 1 AND p.flow = \(flow) AND p.name = \(concurrency)) \
      THEN \(key) ELSE 0 END)
      """
    }
  }
#endif
