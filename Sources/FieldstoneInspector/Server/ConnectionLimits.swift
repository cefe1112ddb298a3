#if Inspector
  /// How much a client may send, and how long it may take.
  struct ConnectionLimits {
    /// The longest head of a request, in bytes.
    var head = 16_384
    /// The most headers.
    var headers = 64
    /// The most connections at once.
    var connections = 64
    /// The time for a request to arrive, from its first byte on.
    var arrival = Duration.seconds(10)
    /// The time for a connection to be silent between two requests.
    var silence = Duration.seconds(60)
    /// The time for a client to read an answer.
    var reading = Duration.seconds(30)
  }
#endif
