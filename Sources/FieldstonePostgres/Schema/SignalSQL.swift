#if PostgreSQL
  /// SQL expressions about signals.
  enum SignalSQL {
    /// The names in a column of ``AwaitedSignals`` as an array; null if there are none.
    static func names(in awaited: String) -> String {
      """
      CASE WHEN starts_with(\(awaited), E'\\x1f') \
      THEN string_to_array(substr(\(awaited), 2), E'\\x1f') \
      WHEN \(awaited) IS NOT NULL THEN ARRAY[\(awaited)] END
      """
    }

    /// The oldest unconsumed signal that a run awaits: one index seek per name.
    static func oldest(of run: String) -> String {
      """
      SELECT g.* FROM unnest(\(names(in: "\(run).awaited"))) AS n(name) CROSS JOIN LATERAL (\
      SELECT id, name, payload, sent_at, position FROM signal WHERE run = \(run).id \
      AND name = n.name AND consumed_by IS NULL ORDER BY position LIMIT 1) g \
      ORDER BY g.position LIMIT 1
      """
    }

    /// Whether there is an unconsumed signal that a run awaits.
    static func isThere(for run: String) -> String { "EXISTS (\(oldest(of: run)))" }
  }
#endif
