#if INSPECTOR
  import FieldstoneServing

  /// Refuses requests that do not come from the inspector's own pages and an authorised user.
  struct RequestGuard {
    let options: InspectorOptions
    /// The path prefix of all pages, percent-encoded, with a leading and no trailing slash, or
    /// empty.
    let prefix: String
    /// The secret in every form.
    let formToken: String
    /// A name of the loopback address that no other server of this machine has; nil for pages that
    /// are not served under `localhost`.
    ///
    /// Cookies ignore ports: a browser sends those of `localhost` to every server there. Chrome,
    /// Edge and Firefox resolve all names under `localhost` by themselves.
    let loopbackName: String?
    private var access: SiteAccess

    /// The maximum length of a target and of a body, in bytes.
    static let longestTarget = 4_096
    static let longestBody = 1 << 20

    init(_ options: InspectorOptions) {
      self.options = options
      let path = options.path.split(separator: "/").joined(separator: "/")
      let prefix = path.isEmpty ? "" : "/" + PercentCoding.encodePath(path)
      self.prefix = prefix
      formToken = Secret.make()
      loopbackName =
        options.hosts.contains("localhost") ? "f\(Secret.make().prefix(8)).localhost" : nil
      let advice =
        "Open the address that was printed when the inspector was started, in one browser "
        + "and once; it has a token. For another browser start the inspector again."
      let door =
        options.token == nil && options.password == nil
        ? nil
        : Door(
          // Without a token of the options, it is random and unknown to everybody.
          token: options.token ?? Secret.make(), password: options.password, path: prefix,
          name: "fieldstone-inspector",
          refusal: options.password == nil ? advice : "These pages ask for a password.")
      access = SiteAccess(
        hosts: options.hosts.union(loopbackName.map { [$0] } ?? []), port: nil,
        readers: ["\(prefix)/live": ["same-origin"]],
        // A reverse proxy may use TLS.
        schemes: ["http", "https"], door: door)
    }

    /// The same rules for pages that are served under one more host.
    func admitting(_ host: String) -> Self {
      var rules = self
      rules.access = access.admitting(host)
      return rules
    }

    /// The response to a request that gets no page, such as the redirect for a browser with a
    /// token; nil for others.
    func admit(_ request: SiteRequest) throws(InspectorRefusal) -> SiteResponse? {
      guard options.allowsReleaseBuilds || !options.isReleaseBuild else {
        throw InspectorRefusal(403, InspectorStartError.releaseBuild.message)
      }
      guard ["GET", "HEAD", "POST"].contains(request.method) else {
        throw InspectorRefusal(405, "Pages are read with GET and changed with POST.")
      }
      guard request.target.utf8.count <= Self.longestTarget else {
        throw InspectorRefusal(414, "The address is too long; filter by less.")
      }
      guard request.body.count <= Self.longestBody else {
        throw InspectorRefusal(
          413, "The form is too large; edit large stages with the command fieldstone.")
      }
      return access.answer(to: request)
    }

    /// The name of the user of an admitted request, if known.
    func person(of request: SiteRequest) -> String? {
      if let name = options.personHeader.flatMap({ request.header($0.lowercased()) }) {
        return name
      }
      return options.password == nil ? nil : Door.name(of: request)
    }

    /// The scheme and host by which the pages were asked, to be copied.
    ///
    /// What a proxy says of the scheme is only shown: a client may have said it.
    func origin(of request: SiteRequest) -> String {
      let isSecure = request.header("x-forwarded-proto")?.lowercased() == "https"
      return (isSecure ? "https://" : "http://") + (request.header("host") ?? "")
    }

    /// The values of one of the inspector's own forms.
    func form(of request: SiteRequest) throws(InspectorRefusal) -> FormValues {
      guard let form = request.form else {
        throw InspectorRefusal(415, "A change comes from a form of these pages.")
      }
      guard !options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      guard Secret.isSame(form["form-token"] ?? "", formToken) else {
        throw InspectorRefusal(
          403, "The form is out of date, perhaps since a restart; load its page again.")
      }
      return form
    }
  }
#endif
