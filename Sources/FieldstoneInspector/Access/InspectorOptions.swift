#if INSPECTOR
  import FieldstoneServing

  /// The access rules and addresses of an inspector.
  public struct InspectorOptions: Sendable, Hashable {
    /// Whether every change is refused.
    public var isReadOnly = false
    /// The secret that a browser must present: a new one for these options, unless another is set.
    ///
    /// It works once: a browser sends it as `token` in the address, and gets a cookie.
    /// ``Inspector/run(host:port:onListening:)`` prints that address. Nil is for a server that
    /// authenticates the user itself: then everyone whose requests it passes on may open the pages.
    public var token: String? = Secret.make()
    /// The password for any number of browsers, at least 12 characters; nil for none.
    ///
    /// A browser prompts for it. Addresses other than the loopback address require a password. The
    /// address with the ``token`` opens the pages once without it.
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
    ///
    /// Characters that can't stand in an address are percent-encoded; percent codes are kept. No
    /// part may be `.` or `..`, because browsers remove them.
    public var path = ""
    /// The host names, without ports, under which the pages are served.
    ///
    /// All other names are refused, because another site may point its own name at this machine.
    /// The address that ``Inspector/run(host:port:onListening:)`` prints is served in any case.
    public var hosts = Self.loopbackHosts
    /// The names of the loopback address.
    static let loopbackHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Parts of names whose values are redacted in watched objects and in stages.
    ///
    /// Letters and digits count, in any case: `credit_card` is a part of `creditCardNumber`.
    /// The value of a member, key, field, attribute or watched object with such a name is shown as
    /// dots, in pages, exports, copies and downloads. JSON within a text is not looked into. The
    /// default covers passwords, tokens, cookies and similar names.
    public var redactedNames = RedactionRule.secrets

    /// Makes options: pages that may change runs, with a new token, for this machine only.
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
