#if INSPECTOR
  /// The most that is shown of one value.
  struct ValueLimits: Sendable, Hashable {
    /// The most members, items and scalars.
    var nodes = 400
    /// The deepest nesting.
    var depth = 12
    /// The longest text, in characters.
    var text = 2_000
  }
#endif
