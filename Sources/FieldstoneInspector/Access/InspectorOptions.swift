#if INSPECTOR
  /// The access rules and addresses of an inspector.
  public struct InspectorOptions: Sendable, Hashable {
    /// Whether every change is refused.
    public var isReadOnly = false
    /// The secret that a browser must present; nil for none, which suits the loopback address and
    /// servers that authenticate the user themselves.
    ///
    /// It works once: a browser sends it as `token` in the address, and gets a cookie.
    public var token: String?
    /// The password for any number of browsers, at least 12 characters; nil for none.
    ///
    /// A browser prompts for it. Addresses other than the loopback address require a password. Set
    /// ``token``, too, if a printed address must open the pages once.
    public var password: String?
    /// The header in which a reverse proxy names the authenticated user, for the page of changes;
    /// nil for none.
    ///
    /// The proxy must remove this header from clients' requests.
    public var personHeader: String?
    /// Whether a release build serves the pages; if false, a release build refuses all requests.
    public var allowsReleaseBuilds = false
    /// Whether this is a release build.
    package var isReleaseBuild = InspectorOptions.isBuiltForRelease
    /// The path prefix of all pages, such as `/inspector`; empty for a separate server.
    public var path = ""
    /// The host names, without ports, under which the pages are served.
    ///
    /// All other names are refused, because another site may point its own name at this machine.
    public var hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Parts of names, in lower case, whose values are redacted in watched objects and in stages.
    ///
    /// The value of a member, key, field, attribute or watched object with such a name is shown as
    /// dots, in pages, exports, copies and downloads. JSON within a text is not looked into. The
    /// default covers passwords, tokens, cookies and similar names.
    public var redactedNames = RedactionRule.secrets

    /// Makes options: pages that may change runs, without a token, for this machine only.
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
