import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What Foundation for Linux does not do as Apple's does.
@Suite("Providers whose requests are refused, or cancelled as they begin", .timeLimit(.minutes(20)))
struct URLRefusalTests {
  private func provider(
    of server: WebServer, _ transport: URLTransport = URLTransport()
  ) -> URLProvider<String> {
    URLProvider(transport: transport) { URLRequest(url: server.url($0)) }
  }

  @Test(
    "A refusal that asks for a password is an error with all that was answered",
    arguments: [
      #"Basic realm="those who may""#, "Basic", "basic realm=x", #"Bearer realm="api""#, "Bearer",
      #"Digest realm="x", qop="auth", nonce="abc", opaque="def""#, "Negotiate", "", "=", "realm=",
      #"Bearer realm="api", error="invalid_token", Basic realm="x""#,
    ])
  func refused(challenge: String) async throws {
    let server = try WebServer { _ in
      WebReply(status: 401, headers: [("WWW-Authenticate", challenge)], body: "sign in")
    }
    let provider = provider(of: server)
    for _ in 0..<2 {
      do {
        _ = try await provider.load("/", reporting: LoadEvents())
        Issue.record("nothing was refused")
      } catch URLProviderError.status(let answer, retryAfter: nil) {
        #expect(answer.status == 401)
        #expect(String(decoding: answer.body, as: UTF8.self) == "sign in")
      }
    }
  }

  @Test("Many that are cancelled as they begin harm nobody", arguments: [true, false])
  func cancelledAtOnce(hasServer: Bool) async throws {
    let server = try WebServer { _ in WebReply(body: "here") }
    let address = hasServer ? server.url("/") : try #require(URL(string: "http://127.0.0.1:1"))
    let provider = URLProvider(transport: URLTransport()) { (begins: Gate) in
      begins.open()
      return URLRequest(url: address)
    }
    for round in 0..<100 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let begins = Gate()
            let load = Task { try await provider.load(begins, reporting: LoadEvents()) }
            await begins.wait()
            // The transport calls its session a moment later, so the moment of the cancellation varies.
            for _ in 0..<(round % 20) { await Task.yield() }
            load.cancel()
            _ = await load.result
          }
        }
      }
    }
    #expect(try await self.provider(of: server).load("/", reporting: LoadEvents()).status == 200)
  }
}
