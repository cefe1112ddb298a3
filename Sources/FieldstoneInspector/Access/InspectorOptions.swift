#if INSPECTOR
  /// Who may use an inspector, and for what.
  public struct InspectorOptions: Sendable, Hashable {
    /// Whether every change is refused.
    public var isReadOnly = false
    /// The secret that a browser must show; nil for none, which is for the loopback address and for
    /// servers that have checked the person themselves.
    ///
    /// It is for one use: a browser shows it as the value of `token` in the address, and gets a
    /// cookie.
    public var token: String?
    /// The password for any number of browsers, of 12 characters at least; nil for none.
    ///
    /// A browser asks for it. Addresses other than the loopback's are served with a password only.
    /// Set ``token``, too, where an address that is printed is to open the pages once.
    public var password: String?
    /// The header in which a reverse proxy names the person that it has checked, for the page of
    /// changes; nil for none.
    ///
    /// A proxy removes what clients send under this name.
    public var personHeader: String?
    /// Whether the pages are served in a release build, too; otherwise all requests are refused there.
    public var allowsReleaseBuilds = false
    /// Whether this is a release build.
    package var isReleaseBuild = InspectorOptions.isBuiltForRelease
    /// The path that all pages stand under, such as `/inspector`; empty for a server of their own.
    public var path = ""
    /// The names of hosts under which the pages are shown, without ports; all others are refused, as
    /// another site could have given this machine a name of its own.
    public var hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Parts of names, in small letters, whose values are not shown of watched objects.
    ///
    /// A member, key or field whose name has one of them is shown as dots, and is not exported.
    /// Passwords, tokens, cookies and the like by default.
    public var redactedNames = RedactionRule.secrets

    /// Makes options: pages that may change runs, without a token, for this machine alone.
    public init() {}

    private static var isBuiltForRelease: Bool {
      #if DEBUG
        false
      #else
        true
      #endif
    }
  }
#endif
