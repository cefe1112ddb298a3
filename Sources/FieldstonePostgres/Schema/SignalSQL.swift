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
  }
#endif
