/// Tells whether a request comes from one of our own pages.
///
/// Other sites can make a browser send requests here, and can give our address a name of theirs:
/// so the host has to be this machine by one of its own names, and a write has to say that it comes
/// from a page of that very host.
public struct RequestOrigin: Sendable {
  private let hosts: Set<String>

  /// Makes the check of a server on a port of this machine.
  public init(port: UInt16) {
    hosts = Set(
      ["127.0.0.1", "localhost", "[::1]"].flatMap { host in
        port == 80 ? [host, "\(host):80"] : ["\(host):\(port)"]
      })
  }

  /// Why a request is refused; nil where it is not.
  public func refusal(of request: SiteRequest) -> String? {
    guard let host = request.headers["host"]?.lowercased(), hosts.contains(host) else {
      return "These pages are shown under the address of this machine and no other name."
    }
    let site = request.headers["sec-fetch-site"]
    let isRead = request.method == "GET" || request.method == "HEAD"
    if isRead {
      // Streams take up room here, so other sites may not open them; links from there are welcome.
      let isForPage = request.path == "/live" || request.path == "/map.txt"
      guard !isForPage || site == nil || site == "same-origin" else {
        return "Other sites can’t read this."
      }
      // Neither may they have files made here; who types the address or has it marked, may.
      guard request.path != "/export.csv" || site == nil || site == "same-origin" || site == "none"
      else { return "Other sites can’t have this file made." }
      return nil
    }
    if let origin = request.headers["origin"] {
      return origin.lowercased() == "http://" + host ? nil : Self.foreign
    }
    return site == "same-origin" ? nil : Self.foreign
  }

  private static let foreign = "Only a page of this server can change something here."
}
