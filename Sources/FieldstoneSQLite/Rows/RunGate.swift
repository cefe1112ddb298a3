#if SQLite
  /// What keeps a ready run from being claimed, as bits of a column.
  enum RunGate {
    /// The run is behind its concurrency key, which has no place left.
    static let limit = 1
    /// The run itself is paused.
    static let run = 2
    /// Its concurrency key is paused.
    static let key = 4
    /// Its flow was paused while a worker had it.
    static let flow = 8

    /// What the indices of ready runs hold.
    static let open = "state = 0 AND quarantine IS NULL AND gate = 0"
    /// The gate of a run that comes into the journal or is ready anew, its own pause aside.
    static func ofKey(flow: String, concurrency: String) -> String {
      """
      (CASE WHEN \(concurrency) IS NOT NULL AND EXISTS (SELECT 1 FROM fieldstone_pause \
      WHERE kind = 1 AND fieldstone_pause.flow = \(flow) AND name = \(concurrency)) \
      THEN \(key) ELSE 0 END)
      """
    }
  }
#endif
