#if Inspector
  import Foundation

  /// Refuses requests that do not come from one of our own pages in the browser of a person who may.
  struct RequestGuard {
    let options: InspectorOptions
    /// The path of all pages, with a slash before it and none after it, or empty.
    let prefix: String
    /// The secret in every form.
    let formToken: String
    private let cookie: String

    /// The longest target and the longest body, in bytes.
    static let longestTarget = 4_096
    static let longestBody = 1 << 20

    init(_ options: InspectorOptions) {
      self.options = options
      let path = options.path.split(separator: "/").joined(separator: "/")
      prefix = path.isEmpty ? "" : "/" + path
      formToken = Self.secret()
      // Cookies disregard ports: two inspectors on one machine need two names.
      cookie = "fieldstone-inspector-" + Self.secret().prefix(8)
    }

    /// A secret of 128 bits.
    static func secret() -> String {
      var generator = SystemRandomNumberGenerator()
      return (0..<4).map { _ in
        let digits = String(UInt32.random(in: 0...UInt32.max, using: &generator), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }.joined()
    }

    /// Refuses a request by its head and its size.
    func check(_ request: InspectorRequest) throws(InspectorRefusal) {
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
      guard let host = request.header("host")?.lowercased(),
        options.hosts.contains(Self.name(of: host))
      else {
        throw InspectorRefusal(
          403,
          "These pages are shown under the names of this machine; use the address that was given.")
      }
      if request.method == "POST" { try checkPost(request, host: host) }
    }

    /// Refuses a person without the token; the way to the page where the address has it.
    func admit(
      _ request: InspectorRequest, _ query: FormValues
    ) throws(InspectorRefusal) -> InspectorResponse? {
      guard let token = options.token else { return nil }
      if request.method != "POST", let shown = query["token"] {
        guard Self.isSame(shown, token) else { throw .noToken }
        let path = request.target.prefix { $0 != "?" }
        // A path that begins with two slashes would name another host.
        var response = InspectorResponse.redirect(to: "/" + path.drop { $0 == "/" })
        response.headers["Set-Cookie"] =
          "\(cookie)=\(token.utf8.map { String($0, radix: 16) }.joined(separator: "-"));"
          + " Path=\(prefix.isEmpty ? "/" : prefix); HttpOnly; SameSite=Strict"
        return response
      }
      let wanted = token.utf8.map { String($0, radix: 16) }.joined(separator: "-")
      let cookies = (request.header("cookie") ?? "").split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cookies.contains(where: { Self.isSame($0, "\(cookie)=\(wanted)") }) else {
        throw .noToken
      }
      return nil
    }

    /// Refuses a form that is none of ours.
    func check(_ form: FormValues) throws(InspectorRefusal) {
      guard !options.isReadOnly else {
        throw InspectorRefusal(403, "This inspector only reads; start one without --read-only.")
      }
      guard Self.isSame(form["form-token"] ?? "", formToken) else {
        throw InspectorRefusal(
          403, "The form is out of date, perhaps since a restart; load its page again.")
      }
    }

    private func checkPost(
      _ request: InspectorRequest, host: String
    ) throws(InspectorRefusal) {
      let site = request.header("sec-fetch-site")
      guard site == nil || site == "same-origin" else { throw .foreign }
      let origin = request.header("origin")?.lowercased()
      guard origin == "http://\(host)" || origin == "https://\(host)" else { throw .foreign }
      let type = request.header("content-type")?.lowercased() ?? ""
      guard type.prefix(while: { $0 != ";" }) == "application/x-www-form-urlencoded" else {
        throw InspectorRefusal(415, "A change comes from a form of these pages.")
      }
    }

    /// The name of a host without its port.
    private static func name(of host: String) -> String {
      if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
        return isPort(host[host.index(after: end)...]) ? String(host[...end]) : ""
      }
      guard let colon = host.firstIndex(of: ":") else { return host }
      return isPort(host[colon...]) ? String(host[..<colon]) : ""
    }

    private static func isPort(_ text: Substring) -> Bool {
      text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
    }

    /// Compares in a time that does not tell where two texts differ.
    private static func isSame(_ left: String, _ right: String) -> Bool {
      let (left, right) = (Array(left.utf8), Array(right.utf8))
      guard left.count == right.count else { return false }
      return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }

  extension InspectorRefusal {
    fileprivate static let noToken = Self(
      401, "Open the address that was printed when the inspector was started; it has a token.")
    fileprivate static let foreign = Self(403, "Only a page of this inspector can change a run.")
  }

  extension InspectorRequest {
    /// The value of a header, whose name is given in small letters.
    func header(_ name: String) -> String? {
      headers[name] ?? headers.first { $0.key.lowercased() == name }?.value
    }
  }
#endif
