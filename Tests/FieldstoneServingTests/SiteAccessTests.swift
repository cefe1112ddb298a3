import FieldstoneServing
import Testing

@Suite("The origin of a request")
struct SiteAccessTests {
  private let access = SiteAccess(
    port: 8_470,
    readers: ["/live": ["same-origin"], "/export.csv": ["same-origin", "none"]])

  private func isRefused(_ method: String, _ path: String, _ headers: [String: String]) -> Bool {
    access.answer(to: SiteRequest(method: method, target: path, headers: headers))?.status == 403
  }

  @Test(
    "has to be this machine by a name of its own",
    arguments: [
      ("127.0.0.1:8470", false), ("localhost:8470", false), ("[::1]:8470", false),
      ("LOCALHOST:8470", false), ("127.0.0.1", true), ("127.0.0.1:80", true),
      ("evil.example:8470", true), ("127.0.0.1.evil.example:8470", true), ("", true),
      ("localhost:8470.evil.example", true), ("0.0.0.0:8470", true), ("localhost:+8470", true),
      ("localhost:", true), ("localhost@evil.example:8470", true), ("[::1:8470", true),
      ("[::1]x:8470", true), ("localhost:8470:8470", true), (":8470", true),
    ])
  func hosts(_ host: String, _ refused: Bool) {
    #expect(isRefused("GET", "/", ["host": host]) == refused)
  }

  @Test("may have any port where none is given, and other names where these are")
  func names() {
    let access = SiteAccess(hosts: ["Orders.example"])
    for (host, isOwn) in [
      ("orders.example", true), ("orders.example:99", true), ("localhost", false),
      ("orders.example:99999", false), ("orders.example:http", false),
    ] {
      let answer = access.answer(to: SiteRequest(target: "/", headers: ["Host": host]))
      #expect((answer == nil) == isOwn, "\(host)")
    }
  }

  @Test(
    "of a write has to be one of our pages",
    arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "post"])
  func writes(_ method: String) {
    let host = ["host": "localhost:8470"]
    func refused(_ headers: [String: String]) -> Bool {
      isRefused(method, "/settings", host.merging(headers) { $1 })
    }
    #expect(!refused(["origin": "http://localhost:8470"]))
    #expect(!refused(["sec-fetch-site": "same-origin"]))
    for origin in [
      "null", "", "http://evil.example", "https://localhost:8470", "http://127.0.0.1:8470",
      "http://localhost:8471", "http://localhost:8470.evil.example", "localhost:8470",
    ] {
      #expect(refused(["origin": origin]), "\(origin)")
      #expect(refused(["origin": origin, "sec-fetch-site": "same-origin"]), "\(origin)")
    }
    for site in ["cross-site", "same-site", "none", ""] {
      #expect(refused(["sec-fetch-site": site]), "\(site)")
      #expect(refused(["sec-fetch-site": site, "origin": "http://localhost:8470"]), "\(site)")
    }
    #expect(refused([:]))
  }

  @Test("is that of the proxy where one adds TLS, with a port that browsers leave out")
  func behindTLS() {
    let host = ["host": "tool.example"]
    for port in [nil, 443] as [UInt16?] {
      let access = SiteAccess(hosts: ["tool.example"], port: port, isBehindTLS: true)
      func refused(_ headers: [String: String]) -> Bool {
        access.answer(
          to: SiteRequest(
            method: "POST", target: "/", headers: host.merging(headers) { $1 }))?.status == 403
      }
      #expect(!refused(["origin": "https://tool.example"]))
      #expect(!refused(["sec-fetch-site": "same-origin"]))
      #expect(refused(["origin": "http://tool.example"]))
      #expect(refused(["origin": "https://evil.example"]))
    }
    let request = SiteRequest(target: "/", headers: host)
    for (port, isBehindTLS, isOwn) in [
      (80, true, false), (443, true, true), (80, false, true), (443, false, false),
    ] as [(UInt16, Bool, Bool)] {
      let access = SiteAccess(hosts: ["tool.example"], port: port, isBehindTLS: isBehindTLS)
      #expect((access.answer(to: request) == nil) == isOwn, "\(port) \(isBehindTLS)")
    }
  }

  @Test("of a link may be another site, that of a stream or of data may not")
  func reads() {
    let foreign = ["host": "localhost:8470", "sec-fetch-site": "cross-site"]
    #expect(!isRefused("GET", "/", foreign))
    #expect(isRefused("GET", "/live?page=/", foreign))
    #expect(isRefused("HEAD", "/export.csv", foreign))
    for path in ["/live/", "/%6cive", "//live?page=/"] { #expect(isRefused("GET", path, foreign)) }
    let other = SiteAccess(port: 8_470, readers: ["/": [], "/pages/": [], "/a%20b": []])
    for path in ["/", "//", "/pages/", "/pages", "/a%20b"] {
      let request = SiteRequest(method: "GET", target: path, headers: foreign)
      #expect(other.answer(to: request)?.status == 403, "\(path)")
    }
    for site in ["same-origin", "none"] {
      let own = ["host": "localhost:8470", "sec-fetch-site": site]
      #expect(!isRefused("GET", "/export.csv", own), "\(site)")
    }
  }
}

@Suite("A door")
struct DoorTests {
  private func door(password: String? = nil) -> SiteAccess {
    SiteAccess(
      hosts: ["localhost"], port: nil, readers: [:], schemes: ["http"],
      door: Door(
        token: "se;cret ø", password: password, path: "/pages", name: "test", refusal: "Ask."))
  }

  private func answer(
    _ access: SiteAccess, _ target: String, _ headers: [String: String] = [:]
  ) -> SiteResponse? {
    access.answer(
      to: SiteRequest(target: target, headers: ["host": "localhost"].merging(headers) { $1 }))
  }

  @Test("lets in who shows the token, once, and then by a cookie")
  func token() throws {
    let access = door()
    for target in ["/", "/?token=", "/?token=secret", "/?token=se%3Bcret%20%C3%B8x"] {
      #expect(answer(access, target)?.status == 401, "\(target)")
    }
    let token = "token=se%3Bcret%20%C3%B8"
    // A program that only looks at the address does not use it up.
    let look = SiteRequest(method: "HEAD", target: "/a?\(token)", headers: ["host": "localhost"])
    #expect(access.answer(to: look)?.status == 401)
    let first = answer(access, "//evil.example/a?x=y&\(token)")
    #expect(first?.status == 303)
    // The way on leads to no other host.
    #expect(first?.headers["Location"] == "/evil.example/a")
    let cookie = try #require(first?.headers["Set-Cookie"])
    #expect(cookie.hasSuffix("; Path=/pages; HttpOnly; SameSite=Strict"))
    #expect(!cookie.contains("secret"))
    let value = String(cookie.prefix { $0 != ";" })
    #expect(answer(access, "/a", ["cookie": "a=b; \(value)"]) == nil)
    #expect(answer(access, "/a", ["cookie": "\(value)0"])?.status == 401)
    #expect(answer(access, "/a", ["cookie": "x\(value)"])?.status == 401)
    #expect(answer(door(), "/a", ["cookie": value])?.status == 401)
    // Another browser comes too late, and this one may open its address again.
    #expect(answer(access, "/?\(token)")?.status == 401)
    let again = answer(access, "/?\(token)", ["cookie": value])
    #expect(again?.status == 303 && again?.headers["Set-Cookie"] == nil)
  }

  @Test(
    "lets in who knows the password",
    arguments: [
      ("Basic YW5uZTpsb25nIHNlY3JldA==", true), ("basic Omxvbmcgc2VjcmV0", true),
      ("Basic bG9uZyBzZWNyZXQ=", false), ("Basic YW5uZTpsb25nIHNlY3Jldng=", false),
      ("Basic", false),
      ("Basic %%%", false), ("Bearer YW5uZTpsb25nIHNlY3JldA==", false), ("", false),
      ("Basic OgAA", false), ("Basic Og==", false),
    ])
  func password(_ header: String, _ isKnown: Bool) {
    let answer = answer(door(password: "long secret"), "/", ["authorization": header])
    #expect((answer == nil) == isKnown)
    if !isKnown { #expect(answer?.headers["WWW-Authenticate"]?.hasPrefix("Basic ") == true) }
    #expect(self.answer(door(), "/", ["authorization": header])?.status == 401)
  }

  @Test("has at most 64 sessions, and another one ends the oldest")
  func sessions() {
    var table = SessionTable(token: "token")
    let first = table.open("token", secret: "0")
    #expect(first == "0" && table.isOpen("0"))
    for number in 1..<64 { _ = table.add("\(number)") }
    #expect(table.isOpen("0") && table.isOpen("63") && !table.isOpen(""))
    _ = table.add("64")
    #expect(!table.isOpen("0") && table.isOpen("1") && table.isOpen("64"))
    let second = table.open("token")
    #expect(second == nil)
  }

  @Test("has secrets of 128 bits, of which no part repeats")
  func secrets() {
    let secrets = (0..<100).map { _ in Secret.make() }
    #expect(secrets.allSatisfy { $0.count == 32 })
    #expect(
      Set(secrets.flatMap { secret -> [Substring] in [secret.prefix(16), secret.suffix(16)] }).count
        == 200)
  }
}
