#if Inspector
  /// Who may use an inspector, and for what.
  public struct InspectorOptions: Sendable, Hashable {
    /// Whether every change is refused.
    public var isReadOnly = false
    /// The secret that a browser must show; nil for none, which is for the loopback address and for
    /// servers that have checked the person themselves.
    ///
    /// A browser shows it once, as the value of `token` in the address, and gets a cookie for it.
    public var token: String?
    /// The path that all pages stand under, such as `/inspector`; empty for a server of their own.
    public var path = ""
    /// The names of hosts under which the pages are shown, without ports; all others are refused, as
    /// another site could have given this machine a name of its own.
    public var hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// Makes options: pages that may change runs, without a token, for this machine alone.
    public init() {}
  }
#endif
