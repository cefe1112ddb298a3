import AirfieldWeb
import Testing

@Suite("The origin of a request", .timeLimit(.minutes(10)))
struct RequestOriginTests {
  private let origin = RequestOrigin(port: 8470)

  private func isRefused(_ method: String, _ path: String, _ headers: [String: String]) -> Bool {
    origin.refusal(of: SiteRequest(method: method, path: path, headers: headers)) != nil
  }

  @Test(
    "has to be this machine by a name of its own",
    arguments: [
      ("127.0.0.1:8470", false), ("localhost:8470", false), ("[::1]:8470", false),
      ("LOCALHOST:8470", false), ("127.0.0.1", true), ("127.0.0.1:80", true),
      ("evil.example:8470", true), ("127.0.0.1.evil.example:8470", true), ("", true),
      ("localhost:8470.evil.example", true), ("0.0.0.0:8470", true),
    ])
  func hosts(_ host: String, _ refused: Bool) {
    #expect(isRefused("GET", "/", ["host": host]) == refused)
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
    }
    #expect(refused([:]))
  }

  @Test("of a link may be another site, that of a stream or of data may not")
  func reads() {
    let foreign = ["host": "localhost:8470", "sec-fetch-site": "cross-site"]
    #expect(!isRefused("GET", "/", foreign))
    #expect(isRefused("GET", "/live", foreign))
    #expect(isRefused("GET", "/map.txt", foreign))
    #expect(isRefused("GET", "/export.csv", foreign))
    for site in ["same-origin", "none"] {
      let own = ["host": "localhost:8470", "sec-fetch-site": site]
      #expect(!isRefused("GET", "/export.csv", own), "\(site)")
    }
  }
}
