#if INSPECTOR
  /// The limits for showing one value.
  struct ValueLimits: Sendable, Hashable {
    /// The maximum number of members, items and scalars.
    var nodes = 400
    /// The maximum nesting depth.
    var depth = 12
    /// The maximum length of a text, in characters.
    var text = 2_000
  }
#endif
