import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@Suite("Guide: from IDMCore")
@MainActor
struct IDMCoreGuide {
  // snippet: idm-model
  struct Users: DataModel, Decodable {  // from JSON, without a line of parsing
    let items: [User]
  }

  struct User: Decodable, Sendable {
    let userName: String
    let avatar: URL?

    enum CodingKeys: String, CodingKey {
      case userName = "login"
      case avatar = "avatar_url"
    }
  }

  struct UserNames: DataModel {  // from anything else
    let names: [String]

    init(source: [String: [String]]) throws {
      guard let names = source["names"] else { throw MessageError("No names were sent.") }
      self.names = names
    }
  }
  // end

  // snippet: idm-provider-type
  struct UserDataProvider: DataProvider {
    let client: SearchClient

    func load(_ name: String?, reporting events: LoadEvents<Data>) async throws -> Data {
      try await future { resolve in
        let request = client.search(name ?? "apple") { data, error in
          resolve {
            guard let data else { throw error ?? MessageError("The server sent nothing.") }
            return data
          }
        }
        resolve.onCancel { request.cancel() }
      }
    }
  }
  // end

  /// A client that calls back, as those of the seed's time do.
  final class SearchClient: Sendable {
    struct Request: Sendable {
      let cancelled: Recorder<String>
      func cancel() { cancelled.record("cancelled") }
    }

    let cancelled = Recorder<String>()
    let isAsked = Gate()
    private let slowAnswer = Locked<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)

    func search(
      _ name: String, then answer: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Request {
      switch name {
      case "slow": slowAnswer.withLock { $0 = answer }
      case "": answer(nil, MessageError("Type a name."))
      default: answer(Data(#"{"items": [{"login": "\#(name)"}]}"#.utf8), nil)
      }
      isAsked.open()
      return Request(cancelled: cancelled)
    }

    func answerLate() {
      let answer = slowAnswer.withLock { $0 }
      answer?(Data(), nil)
    }
  }

  private let client = SearchClient()

  private func search() -> some DataProvider<String, Data> {
    let client = client
    // snippet: idm-provider
    let search = CallbackProvider { (name: String, events, completion: LoadCompletion<Data>) in
      let request = client.search(name) { data, error in completion(data, error) }
      return { request.cancel() }
    }
    // end
    return search
  }

  @Test("A provider that is a type, with a default of its own")
  func providerType() async throws {
    let integrator = Integrator(provider: UserDataProvider(client: client), model: Users.self)
    #expect(try await integrator(nil).items.map(\.userName) == ["apple"])
    #expect(try await integrator("ada").items.map(\.userName) == ["ada"])
    await #expect(throws: MessageError.self) { try await integrator("") }

    let slow = SearchClient()
    let slowly = Integrator(provider: UserDataProvider(client: slow), model: Users.self)
    let call = slowly.call("slow").start()
    await slow.isAsked.wait()
    call.cancel()
    #expect(await call.outcome.cancellation == .caller)
    #expect(await slow.cancelled.elements(atLeast: 1) == ["cancelled"])
  }

  @Test("A provider")
  func provider() async throws {
    let data = try await search().load("ada", reporting: LoadEvents())
    #expect(try Users(source: data).items.map(\.userName) == ["ada"])
    #expect(throws: DataModelError.self) { try Users(source: Data("{}".utf8)) }
    #expect(try UserNames(source: ["names": ["ada"]]).names == ["ada"])
    #expect(throws: MessageError.self) { try UserNames(source: [:]) }
  }

  @Test("A call", arguments: ["apple", ""])
  func call(name: String) async throws {
    let (search, table) = (search(), Recorder<String>())
    // snippet: idm-integrator
    let integrator = Integrator(provider: search, model: Users.self)
    let call =
      integrator
      .call(name)
      .onBeginning { table.record("loading") }
      .onSuccess { users in table.record("\(users.items.count) users") }
      .onError { error in table.record(error.localizedDescription) }
      .onCompletion { _ in table.record("done") }
      .start()
    // end
    _ = await call.outcome
    let expected = ["loading", name.isEmpty ? "Type a name." : "1 users", "done"]
    #expect(await table.elements(atLeast: 3) == expected)
  }

  @Test("A call, awaited")
  func awaited() async throws {
    let integrator = Integrator(provider: search(), model: Users.self)
    // snippet: idm-await
    let users = try await integrator("apple")  // the same call
    // end
    #expect(users.items.map(\.userName) == ["apple"])
  }

  @Test("Cancelling")
  func cancelling() async throws {
    let integrator = Integrator(provider: search(), model: Users.self)
    let call = integrator.call("slow").start()
    await client.isAsked.wait()
    // snippet: idm-cancel
    call.cancel()  // the closure is called, and the call ends at once
    if case .cancelled(let reason) = await call.outcome { print(reason) }  // caller
    // end
    client.answerLate()
    #expect(await call.outcome.cancellation == .caller)
    #expect(await client.cancelled.elements(atLeast: 1) == ["cancelled"])
  }
}
