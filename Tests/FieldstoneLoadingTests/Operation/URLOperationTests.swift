import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("An operation that asks a server", .timeLimit(.minutes(20)))
struct URLOperationTests {
  private let transport = URLTransport()

  private func operation(
    _ path: String, of server: WebServer
  ) -> URLOperation<String> {
    URLOperation(URLProvider(transport: transport) { URLRequest(url: server.url($0)) }, path)
  }

  @Test("It ends with the answer, after what it depends on")
  func answer() async throws {
    let server = try WebServer { WebReply(body: $0.path) }
    let (login, users) = (operation("/login", of: server), operation("/users", of: server))
    users.addDependency(login)
    let queue = OperationQueue()
    for operation in [users, login] { queue.addOperation(operation) }
    #expect(try await String(decoding: users.value.body, as: UTF8.self) == "/users")
    #expect(server.requests.map(\.path) == ["/login", "/users"])
  }

  @Test("A refusal is its failure, and cancelling it hangs up")
  func ends() async throws {
    let server = try WebServer { request in
      request.path == "/held"
        ? WebReply(body: "late", fault: (after: 1, .awaitHangUp)) : WebReply(status: 404)
    }
    let (refused, held) = (operation("/", of: server), operation("/held", of: server))
    let queue = OperationQueue()
    for operation in [refused, held] { queue.addOperation(operation) }
    #expect(await refused.outcome.error is URLProviderError)
    await server.requests(atLeast: 2)
    held.cancel()
    #expect(await held.outcome.cancellation == .caller)
    await server.hangUps(atLeast: 1)
  }
}
