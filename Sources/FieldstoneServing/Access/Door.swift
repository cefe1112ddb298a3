import FieldstoneCore
import Foundation

/// Admits clients that present a one-time token, or a password.
package final class Door: Sendable {
  private let sessions: Locked<SessionTable>
  private let cookie: String
  private let path: String
  private let password: String?
  private let refusal: String

  /// Makes a door for all paths under one.
  ///
  /// - Parameters:
  ///   - token: the one-time value of `token` in the address.
  ///   - password: the password for `Authorization: Basic`, for any number of uses; nil for none.
  ///   - path: the path, percent-encoded, with a slash before it and none after it, or empty.
  ///   - name: the name of the cookie, to which random digits are added.
  ///   - refusal: the advice for a client without token and password.
  package init(token: String, password: String?, path: String, name: String, refusal: String) {
    sessions = Locked(SessionTable(token: token))
    self.password = password
    self.path = path
    self.refusal = refusal
    // Cookies ignore ports, so two servers on one machine need two names.
    cookie = "\(name)-\(Secret.make().prefix(8))"
  }

  /// The response to a request that is refused or redirected; nil if it may proceed.
  func answer(to request: SiteRequest) -> SiteResponse? {
    let cookies = (request.header("cookie") ?? "").split(separator: ";").map {
      $0.drop { $0 == " " }
    }
    let secrets = cookies.filter { $0.hasPrefix(cookie + "=") }.map {
      String($0.dropFirst(cookie.count + 1))
    }
    let isKnown = sessions.withLock { sessions in secrets.contains { sessions.isOpen($0) } }
    // Not by HEAD, with which programs look at an address before a person opens it.
    if request.method == "GET", let shown = FormValues(request.query)["token"] {
      let opened = sessions.withLock { $0.open(shown) }
      // An admitted browser may open the address with the token again.
      guard isKnown || opened != nil else { return refused() }
      // A path that begins with two slashes would name another host.
      var response = SiteResponse.redirect(to: "/" + request.path.drop { $0 == "/" })
      response.headers["Cache-Control"] = "no-store"
      // The address with the token is no referrer of the page.
      response.headers["Referrer-Policy"] = "no-referrer"
      if let opened {
        response.headers["Set-Cookie"] =
          "\(cookie)=\(opened); Path=\(path.isEmpty ? "/" : path); HttpOnly; SameSite=Strict"
      }
      return response
    }
    return isKnown || hasPassword(request) ? nil : refused()
  }

  private func hasPassword(_ request: SiteRequest) -> Bool {
    // The user name is ignored.
    guard let password, let shown = Self.shown(by: request) else { return false }
    return Secret.isSame(shown.secret, password)
  }

  /// The user name that was entered with a password; nil without one.
  package static func name(of request: SiteRequest) -> String? {
    guard let name = shown(by: request)?.name, !name.isEmpty else { return nil }
    return name
  }

  private static func shown(by request: SiteRequest) -> (name: String, secret: String)? {
    guard let text = request.header("authorization") else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let shown = Data(base64Encoded: String(parts[1]))
    else { return nil }
    let name = shown.prefix { $0 != UInt8(ascii: ":") }
    let secret = shown.dropFirst(name.count + 1)
    return (String(decoding: name, as: UTF8.self), String(decoding: secret, as: UTF8.self))
  }

  private func refused() -> SiteResponse {
    var response = SiteAccess.refusal(401, refusal)
    if password != nil {
      response.headers["WWW-Authenticate"] = "Basic realm=\"fieldstone\", charset=\"UTF-8\""
    }
    return response
  }
}
