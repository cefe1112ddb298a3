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

  /// A callback client in the style of the seed's time.
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

  // MARK: Overlapping calls, retries, notifications

  @Test("Calls that overlap")
  func policies() async throws {
    let search = search()
    // snippet: idm-policies
    let each = Integrator(provider: search, model: Users.self)  // .default
    let single = Integrator(provider: search, model: Users.self, policy: .only(.reject))  // .only
    let inOrder = Integrator(provider: search, model: Users.self, policy: .queue())  // .queue
    let typed = Integrator(  // .latest, throttled
      provider: search, model: Users.self, policy: .latest(debounce: .milliseconds(500)))
    // end
    for integrator in [each, single, inOrder, typed] {
      #expect(try await integrator("ada").items.count == 1)
    }
    let slow = single.call("slow").start()
    #expect(single.call("ada").start().currentOutcome?.cancellation == .busy)
    single.cancelAll()
    #expect(slow.currentOutcome?.cancellation == .caller)
  }

  /// Fails a number of times, and then returns the requested value.
  private func failing(times: Int) -> some DataProvider<String, String> {
    let left = Locked(times)
    return ClosureProvider { (name: String) in
      let fails = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw Overloaded() }
      return name
    }
  }

  struct Overloaded: Error {}

  @Test("Retries")
  func retries() async throws {
    let time = ManualTime()
    let table = Recorder<String>()
    let integrator = Integrator(
      provider: failing(times: 2), errorHandlers: ErrorHandlers(), time: time.source)
    // snippet: idm-retry
    // All calls of an integrator: three more attempts, always 0.3 seconds apart.
    integrator.retry = RetryPolicy(
      maximumAttempts: 4, baseDelay: .milliseconds(300), backoff: .fixed)

    // One call: for some errors only, with longer and longer waits, and not silently.
    let call = integrator.call("ada")
      .retry(RetryPolicy(maximumAttempts: 3, shouldRetry: { $0 is Overloaded }))
      .onRetry { retry in table.record("attempt \(retry.attempt)") }
      .start()
    // end
    for number in 1...2 {
      await table.elements(atLeast: number)
      await time.sleepers(atLeast: 1)
      time.advance(by: .seconds(60))
    }
    #expect(try await call.value == "ada")
    #expect(table.elements == ["attempt 2", "attempt 3"])
    #expect(integrator.retry?.backoff == .fixed)
  }

  @Test("Another call before the next attempt")
  func recovering() async throws {
    let login = Integrator(provider: ClosureProvider { "token" })
    let account = Integrator(provider: failing(times: 1), errorHandlers: ErrorHandlers())
    // snippet: idm-recover
    let call = account.call("ada")
      .recover { error in
        guard error is Overloaded else { return .fail }
        _ = try await login()
        return .again
      }
      .start()
    // end
    #expect(try await call.value == "ada")
  }

  @Test("Handlers for all calls, progress, and presenters")
  func handlers() async throws {
    let table = Recorder<String>()
    let download = ClosureProvider { (name: String, events: LoadEvents<String>) in
      events.progress(.fraction(0.5))
      events.early("\(name), from the cache")
      return name
    }
    let integrator = Integrator(provider: download, errorHandlers: ErrorHandlers())
    // snippet: idm-defaults
    integrator.defaultHandlers = CallHandlers()
      .onBeginning { table.record("loading") }
      .onCompletion { _ in table.record("done") }

    let call = integrator.call("ada")
      .onProgress { if case .fraction(let part) = $0 { table.record("\(part)") } }
      .onEarlyValue { user in table.record(user) }  // before the call has ended
      .onSuccess { user in table.record(user) }
      .start()
    // end
    _ = await call.outcome
    let heard = ["loading", "0.5", "ada, from the cache", "ada", "done"]
    #expect(await table.elements(atLeast: 5) == heard)
  }

  // snippet: idm-presenter
  final class Screen: ValueReceiver, ErrorReceiver {
    private(set) var texts: [String] = []

    func receive(_ name: String) { texts.append(name) }
    func receive(error: any Error) { texts.append(error.localizedDescription) }
  }
  // end

  @Test("Presenters, and errors that are handled once for all")
  func presenters() async throws {
    let (screen, errors) = (Screen(), ErrorHandlers())
    let integrator = Integrator(
      provider: ClosureProvider { (name: String) in
        if name.isEmpty { throw MessageError("Type a name.") }
        return name
      }, errorHandlers: errors)
    let handled = Recorder<String>()
    let done = Recorder<Void>()
    // snippet: idm-present
    integrator.defaultHandlers = CallHandlers().forwardSuccess(to: screen).forwardError(to: screen)
    let registration = errors.add(for: MessageError.self, priority: 10) { error in
      handled.record(error.message)
      return .handled
    }
    // end
    for name in ["ada", ""] {
      integrator.call(name).onCompletion { _ in done.record(()) }.start()
    }
    await done.elements(atLeast: 2)
    #expect(Set(screen.texts) == ["ada", "Type a name."] && handled.elements == ["Type a name."])
    withExtendedLifetime(registration) {}
  }

  @Test("One call after another")
  func next() async throws {
    let table = Recorder<String>()
    let login = Integrator(provider: ClosureProvider { (name: String) in name.count })
    let account = Integrator(provider: ClosureProvider { (id: Int) in "account \(id)" })
    // snippet: idm-next
    login.call("ada")
      .next { id in account.call(id).onSuccess { table.record($0) } }  // after a success
      .next(on: .error) { _ in account.call(0) }
      .next(on: .completion) { outcome in outcome.value.map { account.call($0) } }
      .start()
    // end
    #expect(await table.elements(atLeast: 1) == ["account 3"])
  }

  // MARK: Several

  @Test("Providers made from providers")
  func combining() async throws {
    let user = ClosureProvider { (id: Int) in "user \(id)" }
    let inbox = ClosureProvider { (id: Int) in [id] }
    let length = ClosureProvider { (name: String) in name.count }
    let stored = ValueProvider<Int, String>("kept")
    let counted = Recorder<Int>()
    let counter = ClosureProvider { (id: Int) in counted.record(id) }
    // snippet: idm-combine
    let group = GroupProvider(user, inbox)  // >><<
      .convertingParameters { (id: Int) in (id, id) }  // the parameters of each
    let sequence = user.then(length)  // >>>>
    let converted = user.map { $0.uppercased() }
    let merged = user.preceded(by: stored)  // what is kept, then what is fresh
    let attached = user.attaching(counter)  // runs along, and can't fail the load
    // end
    let (name, messages) = try await group.load(1, reporting: LoadEvents())
    #expect(name == "user 1" && messages == [1])
    #expect(try await sequence.load(1, reporting: LoadEvents()) == 6)
    #expect(try await converted.load(1, reporting: LoadEvents()) == "USER 1")
    #expect(try await merged.load(2, reporting: LoadEvents()) == "user 2")
    #expect(try await attached.load(3, reporting: LoadEvents()) == "user 3")
    #expect(await counted.elements(atLeast: 1) == [3])
  }

  @Test("Many calls, and calls of several integrators")
  func batches() async throws {
    let users = Integrator(provider: ClosureProvider { (id: Int) in "user \(id)" })
    let inbox = Integrator(
      provider: ClosureProvider { (id: Int) -> [Int] in throw MessageError("No inbox \(id).") },
      errorHandlers: ErrorHandlers())
    // snippet: idm-batch
    // Of one integrator, each with its own outcome, never more than four at once.
    let outcomes = try await users.batchCollecting([1, 2, 3], maxConcurrent: 4)

    // Of integrators of different types: a failure disturbs none of the others.
    let (user, messages) = try await CallGroup(users.call(1), inbox.call(1)).outcomes()
    // end
    #expect(outcomes.compactMap(\.value) == ["user 1", "user 2", "user 3"])
    #expect(user.value == "user 1")
    #expect(messages.error?.localizedDescription == "No inbox 1.")
  }
}
