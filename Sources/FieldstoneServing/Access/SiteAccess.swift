import FieldstoneCore

/// Decides which requests a site answers: those from its own pages, in an authorised browser.
///
/// Other sites can make a browser send requests to this machine, and can map their own host name to
/// it. So the host must be in a list, and a change must come from a page of the same origin.
public struct SiteAccess: Sendable {
  /// The host names, in lower case and without ports.
  private var hosts: Set<String>
  /// The required port of a host; nil for any.
  private let port: UInt16?
  private let schemes: [String]
  /// Paths that other sites can't read, with the permitted values of `Sec-Fetch-Site`.
  private let readers: [String: Set<String>]
  private let door: Door?

  /// Makes the rules of a site without tokens.
  ///
  /// - Parameters:
  ///   - hosts: the host names, without ports.
  ///   - port: the required port of a host; nil for any.
  ///   - readers: paths that other sites can't read, each with the permitted values of
  ///     `Sec-Fetch-Site`, such as `same-origin`. Clients without the header are permitted.
  ///   - isBehindTLS: whether browsers reach the site by `https`, through a reverse proxy. The
  ///     proxy must pass the browser's `Host` on, and `port` is that of the browser's address.
  public init(
    hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"], port: UInt16? = nil,
    readers: [String: Set<String>] = [:], isBehindTLS: Bool = false
  ) {
    self.init(
      hosts: hosts, port: port, readers: readers, schemes: [isBehindTLS ? "https" : "http"],
      door: nil)
  }

  package init(
    hosts: Set<String>, port: UInt16?, readers: [String: Set<String>], schemes: [String],
    door: Door?
  ) {
    self.hosts = Set(hosts.map { $0.lowercased() })
    self.port = port
    self.readers = Dictionary(readers.map { (Self.plain($0.key), $0.value) }) {
      $0.intersection($1)
    }
    self.schemes = schemes
    self.door = door
  }

  /// The same rules with one more host.
  package func admitting(_ host: String) -> Self {
    var rules = self
    rules.hosts.insert(host.lowercased())
    return rules
  }

  /// The response to a request that gets no page; nil if the site may answer.
  ///
  /// It is a refusal, or a redirect for a browser with a token.
  public func answer(to request: SiteRequest) -> SiteResponse? {
    guard let host = request.header("host")?.lowercased(), isOwn(host) else {
      return Self.refusal(
        403,
        "These pages are shown under the names of this machine; use the address that was given."
      )
    }
    let site = request.header("sec-fetch-site")
    if request.isRead {
      if let readers = readers[Self.plain(request.path)], let site, !readers.contains(site) {
        return Self.refusal(403, "Other sites can't read this; open it from its own page.")
      }
    } else {
      let origin = request.header("origin")?.lowercased()
      let isOwnOrigin = origin.map { origin in schemes.contains { "\($0)://\(host)" == origin } }
      guard isOwnOrigin ?? (site == "same-origin"), site == nil || site == "same-origin" else {
        return Self.refusal(403, "Only a page of this server can change something; open it first.")
      }
    }
    return door?.answer(to: request)
  }

  /// A path as a site reads it: decoded, and without empty parts.
  private static func plain(_ path: String) -> String {
    Array(path.utf8).split(separator: UInt8(ascii: "/")).map { "/" + PercentCoding.decode($0) }
      .joined()
  }

  /// Whether a host is in the list, with the right port.
  private func isOwn(_ host: String) -> Bool {
    let name: Substring
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
      name = host[...end]
    } else {
      name = host.prefix { $0 != ":" }
    }
    guard hosts.contains(String(name)) else { return false }
    let rest = host.dropFirst(name.count)
    guard !rest.isEmpty else {
      return port == nil || schemes.contains { Self.usualPorts[$0] == port }
    }
    guard rest.first == ":", rest.dropFirst().allSatisfy({ "0"..."9" ~= $0 }),
      let number = UInt16(rest.dropFirst())
    else { return false }
    return port == nil || number == port
  }

  /// The ports that a browser leaves out, by the scheme.
  private static let usualPorts: [String: UInt16] = ["http": 80, "https": 443]

  static func refusal(_ status: Int, _ text: String) -> SiteResponse {
    SiteResponse(status: status, text: text + "\n", headers: ["Cache-Control": "no-store"])
  }
}
