import FieldstoneCore
import FieldstoneLoading
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Providers that ask a server", .timeLimit(.minutes(20)))
struct URLProviderTests {
  private let time = ManualTime(now: Date(timeIntervalSince1970: 784_111_777))

  private func provider(
    of server: WebServer, bodyLimit: Int = 1_000_000
  ) -> URLProvider<String> {
    URLProvider(bodyLimit: bodyLimit, transport: transport, time: time.source) { path in
      URLRequest(url: server.url(path))
    }
  }

  private let transport = URLTransport()

  private func failure(
    of provider: some DataProvider<String, ServerResponse>
  ) async -> URLProviderError? {
    do {
      _ = try await provider.load("/", reporting: LoadEvents())
      return nil
    } catch {
      return error as? URLProviderError
    }
  }

  @Test("An answer has status, headers and body")
  func answer() async throws {
    let server = try WebServer { request in
      WebReply(status: 201, headers: [("X-Asked", request.path)], body: "Grüße")
    }
    let answer = try await provider(of: server).load("/users?q=ada", reporting: LoadEvents())
    #expect(answer.status == 201)
    #expect(answer.headers["x-asked"] == "/users?q=ada")
    #expect(String(decoding: answer.body, as: UTF8.self) == "Grüße")
    #expect(answer.url == server.url("/users?q=ada"))
  }

  @Test("The request is sent as it was made")
  func request() async throws {
    let server = try WebServer { _ in WebReply() }
    let provider = URLProvider(transport: transport) { (text: String) in
      var request = URLRequest(url: server.url("/post"))
      request.httpMethod = "POST"
      request.setValue("yes", forHTTPHeaderField: "X-Test")
      request.httpBody = Data(text.utf8)
      return request
    }
    #expect(try await provider.load("body", reporting: LoadEvents()).body.isEmpty)
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/post")
    #expect(request.headers["x-test"] == "yes")
    #expect(request.body == "body")
  }

  @Test("What makes the request throws is the load's error")
  func requestFails() async {
    let provider = URLProvider { (_: Int) in throw Failure.broken }
    await #expect(throws: Failure.broken) { try await provider.load(1, reporting: LoadEvents()) }
  }

  @Test("A model is built from what a server sends")
  func model() async throws {
    struct User: DataModel, Decodable { var name: String }
    let server = try WebServer { _ in WebReply(body: #"[{"name": "Ada"}]"#) }
    let users = provider(of: server).map { try [User](source: $0.body) }
    #expect(try await users.load("/", reporting: LoadEvents()).map(\.name) == ["Ada"])
  }

  @Test(
    "A status outside 200 to 299 is an error with all that was answered",
    arguments: [
      (304, false), (400, false), (404, false), (408, true), (425, true), (429, true),
      (500, true), (501, false), (503, true),
    ])
  func status(status: Int, isWorthRetrying: Bool) async throws {
    let body = status == 304 ? "" : "why"
    let server = try WebServer { _ in
      WebReply(status: status, headers: [("X-Reason", "because")], body: body)
    }
    let error = try #require(await failure(of: provider(of: server)))
    guard case .status(let answer, retryAfter: nil) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(answer.status == status)
    #expect(answer.headers["x-reason"] == "because")
    #expect(String(decoding: answer.body, as: UTF8.self) == body)
    #expect(error.message.contains("\(status)"))
    #expect(RetryPolicy.isWorthRetrying(error) == isWorthRetrying)
  }

  @Test(
    "Retry-After is understood in both forms",
    arguments: [
      ("120", Duration.seconds(120)), (" 7 ", .seconds(7)), ("0", .zero),
      ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
      ("Sunday, 06-Nov-94 08:49:47 GMT", .seconds(10)),
      ("Sun Nov  6 09:49:37 1994", .seconds(3600)),
      ("Mon, 06 Nov 1995 08:49:37 GMT", .seconds(365 * 86_400)),
      ("Wed, 06 Nov 1996 08:49:37 GMT", .seconds(731 * 86_400)),
      ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
      ("Sat, 01 Jan 2000 00:00:00 GMT", .seconds(162_573_023)),
      ("Tue, 29 Feb 2000 00:00:00 GMT", .seconds(167_670_623)),
      ("Wed, 01 Mar 2000 00:00:00 GMT", .seconds(167_757_023)),
      ("99999999999999999999999", .seconds(Int64.max)),
      ("soon", nil), ("-5", nil), ("1.5", nil), ("Sun, 06 Nov 1994 08:49:37 CET", nil),
      ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
      ("", nil),
    ])
  func retryAfter(header: String, wait: Duration?) async throws {
    let server = try WebServer { _ in
      WebReply(status: 503, headers: [("Retry-After", header)])
    }
    let error = try #require(await failure(of: provider(of: server)))
    #expect(error.retryAfter == wait)
  }

  @Test("A retry policy waits as long as the server says", arguments: [429, 503])
  func retry(status: Int) async throws {
    let count = Recorder<Int>()
    let server = try WebServer { _ in
      count.record(1)
      return count.count == 1
        ? WebReply(status: status, headers: [("Retry-After", "30")]) : WebReply(body: "there")
    }
    let patient = provider(of: server).retrying(
      RetryPolicy(baseDelay: .milliseconds(1)), time: time.source)
    let task = Task { try await patient.load("/", reporting: LoadEvents()) }
    await time.sleepers(atLeast: 1)
    time.advance(by: .milliseconds(29_999))
    #expect(server.requests.count == 1)
    time.advance(by: .milliseconds(1))
    #expect(try await task.value.body == Data("there".utf8))
  }

  @Test("Cancelling cancels the transfer, before the answer and in the middle of it")
  func cancel() async throws {
    let server = try WebServer { request in
      request.path == "/before"
        ? WebReply(length: .claimed(10), fault: (0, .awaitHangUp))
        : WebReply(body: "0123456789", fault: (5, .awaitHangUp))
    }
    for path in ["/before", "/middle"] {
      let heard = Recorder<LoadProgress>()
      let task = Task {
        try await provider(of: server)
          .load(path, reporting: LoadEvents(onProgress: { heard.record($0) }))
      }
      await heard.elements(atLeast: path == "/before" ? 1 : 2)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(await server.hangUps(atLeast: 1).contains(path) || path == "/middle")
    }
    #expect(Set(await server.hangUps(atLeast: 2)) == ["/before", "/middle"])
  }

  @Test("Cancelled before an answer at all, it hangs up too")
  func cancelSilence() async throws {
    let latch = Latch()
    let server = try WebServer { _ in
      WebReply(body: "late", holdBefore: latch, fault: (0, .awaitHangUp))
    }
    let task = Task { try await provider(of: server).load("/", reporting: LoadEvents()) }
    await server.requests(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    latch.open()
    await server.hangUps(atLeast: 1)
  }

  @Test("Cancelled before it begins, nobody is asked")
  func cancelledBefore() async throws {
    let server = try WebServer { _ in WebReply() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await provider(of: server).load("/", reporting: LoadEvents())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test("Cancelled while its request is made, nobody is asked")
  func cancelledWhilePreparing() async throws {
    let server = try WebServer { _ in WebReply() }
    let gate = Gate()
    let provider = URLProvider(transport: transport) { (path: String) in
      await gate.wait()
      return URLRequest(url: server.url(path))
    }
    let task = Task { try await provider.load("/", reporting: LoadEvents()) }
    await gate.arrivals(atLeast: 1)
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  @Test("A connection that is dropped in the middle of the body is an error")
  func dropped() async throws {
    let server = try WebServer { _ in WebReply(body: "0123456789", fault: (5, .drop)) }
    let error = try #require(await failure(of: provider(of: server)))
    guard case .transfer(let cause, let url) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(cause.code == .networkConnectionLost)
    #expect(url == server.url("/"))
    #expect(RetryPolicy.isWorthRetrying(error))
    #expect(error.underlyingErrors.count == 1)
  }

  @Test("So is one that is dropped in the middle of a chunk, and nobody there at all")
  func otherFailures() async throws {
    let server = try WebServer { _ in
      WebReply(body: "0123456789", length: .chunked, fault: (5, .drop))
    }
    #expect(await failure(of: provider(of: server)) != nil)
    let gone = URLProvider(transport: transport) { (_: String) in
      URLRequest(url: URL(string: "http://127.0.0.1:1/")!)
    }
    guard case .transfer = await failure(of: gone) else {
      Issue.record("the port should be closed")
      return
    }
  }

  @Test("A body over the limit is an error, whatever its length is said to be")
  func bodyLimit() async throws {
    let body = Data(repeating: 65, count: 1001)
    for length in [WebReply.Length.honest, .chunked, .untold] {
      let server = try WebServer { _ in WebReply(data: body, length: length) }
      let error = try #require(await failure(of: provider(of: server, bodyLimit: 1000)))
      guard case .bodyTooLarge(limit: 1000, _) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(error.message.contains("1000 bytes"))
      #expect(!RetryPolicy.isWorthRetrying(error))
      #expect(
        try await provider(of: server, bodyLimit: 1001).load("/", reporting: LoadEvents()).body
          == body)
    }
  }

  @Test("A refusal with a body over the limit has its status, and the bytes up to the limit")
  func longRefusal() async throws {
    for length in [WebReply.Length.honest, .chunked, .untold] {
      let server = try WebServer { _ in
        WebReply(
          status: 503, headers: [("Retry-After", "5")], data: Data(repeating: 65, count: 100_000),
          length: length)
      }
      for limit in [0, 10] {
        let error = try #require(await failure(of: provider(of: server, bodyLimit: limit)))
        guard case .status(let answer, retryAfter: .seconds(5)) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(answer.status == 503)
        #expect(answer.body == Data(repeating: 65, count: limit))
        #expect(RetryPolicy.isWorthRetrying(error))
      }
    }
  }

  @Test("A redirect that names no address is an answer with its status")
  func redirectToNowhere() async throws {
    let server = try WebServer { _ in WebReply(status: 302, body: "moved") }
    guard case .status(let answer, retryAfter: nil) = await failure(of: provider(of: server)) else {
      Issue.record("there is no status")
      return
    }
    #expect(answer.status == 302)
  }

  @Test(
    "A transfer that failed says why in words",
    arguments: [
      (URLError.Code.timedOut, "the time limit passed", true),
      (.networkConnectionLost, "the connection was lost", true),
      (.cannotConnectToHost, "the host accepts no connection", true),
      (.cannotFindHost, "the host is not known", true),
      (.httpTooManyRedirects, "there were too many redirects", false),
    ])
  func reason(code: URLError.Code, words: String, isWorthRetrying: Bool) {
    let error = URLProviderError.transfer(URLError(code), url: URL(string: "https://example.org/a"))
    #expect(
      error.message
        == "The transfer from example.org/a failed (\(words)); check the address and the connection, "
        + "and try again.")
    #expect(RetryPolicy.isWorthRetrying(error) == isWorthRetrying)
  }

  @Test("A body without an end is given up at the limit, and the server is told by hanging up")
  func endless() async throws {
    let server = try WebServer { _ in
      WebReply(
        data: Data(repeating: 65, count: 5000), length: .chunked, fault: (5000, .awaitHangUp))
    }
    guard case .bodyTooLarge = await failure(of: provider(of: server, bodyLimit: 4000)) else {
      Issue.record("no limit")
      return
    }
    await server.hangUps(atLeast: 1)
  }

  @Test("A length that promises too much is refused before it comes")
  func announced() async throws {
    let server = try WebServer { _ in
      WebReply(length: .claimed(1_000_000_000_000), fault: (0, .awaitHangUp))
    }
    guard case .bodyTooLarge = await failure(of: provider(of: server)) else {
      Issue.record("no limit")
      return
    }
    await server.hangUps(atLeast: 1)
  }

  @Test("A length that says more than comes is an error, one that says less cuts the body")
  func lies() async throws {
    let more = try WebServer { _ in WebReply(body: "0123456789", length: .claimed(20)) }
    guard case .transfer = await failure(of: provider(of: more)) else {
      Issue.record("the body is not whole")
      return
    }
    let less = try WebServer { _ in WebReply(body: "0123456789", length: .claimed(4)) }
    let answer = try await provider(of: less, bodyLimit: 4).load("/", reporting: LoadEvents())
    #expect(answer.body == Data("0123".utf8))
  }

  @Test("A redirect is followed, and the answer says from where it came")
  func redirect() async throws {
    let server = try WebServer { request in
      request.path == "/old"
        ? WebReply(status: 302, headers: [("Location", "/new")], body: "moved")
        : WebReply(body: "here")
    }
    let answer = try await provider(of: server).load("/old", reporting: LoadEvents())
    #expect(answer.body == Data("here".utf8))
    #expect(answer.url == server.url("/new"))
    #expect(server.requests.map(\.path) == ["/old", "/new"])
  }

  @Test("The answer to HEAD may announce any length")
  func head() async throws {
    let server = try WebServer { _ in WebReply(length: .claimed(50_000_000)) }
    let provider = URLProvider(transport: transport) { (path: String) in
      var request = URLRequest(url: server.url(path))
      request.httpMethod = "HEAD"
      return request
    }
    let answer = try await provider.load("/", reporting: LoadEvents())
    #expect(answer.status == 200)
    #expect(answer.body.isEmpty)
  }

  @Test("Progress is the part that has come, and indeterminate without a length")
  func progress() async throws {
    for (length, expected) in [
      (WebReply.Length.honest, LoadProgress.fraction(0.5)), (.chunked, .indeterminate),
    ] {
      let latch = Latch()
      let heard = Recorder<LoadProgress>()
      let server = try WebServer { _ in
        WebReply(body: "0123456789", length: length, fault: (5, .hold(latch)))
      }
      let task = Task {
        try await provider(of: server)
          .load("/", reporting: LoadEvents(onProgress: { heard.record($0) }))
      }
      // The first says that the answer has begun.
      #expect(await heard.elements(atLeast: 2)[1] == expected)
      latch.open()
      #expect(try await task.value.body.count == 10)
      #expect(heard.elements.last == (expected == .indeterminate ? expected : .fraction(1)))
    }
  }

  @Test("A closure that blocks holds up its own load only, not the others of the transport")
  func blocking() async throws {
    let server = try WebServer { request in WebReply(body: request.path) }
    let (entered, leaves, isFirst) = (Gate(), DispatchSemaphore(value: 0), Flag())
    let blocked = Task {
      try await provider(of: server).load(
        "/blocked",
        reporting: LoadEvents(onProgress: { _ in
          guard isFirst.set() else { return }
          entered.open()
          leaves.wait()
        }))
    }
    await entered.wait()
    let answer = try await provider(of: server).load("/free", reporting: LoadEvents())
    #expect(answer.body == Data("/free".utf8))
    leaves.signal()
    #expect(try await blocked.value.body == Data("/blocked".utf8))
  }

  @Test("What is no HTTP is said so")
  func notHTTP() async throws {
    let provider = URLProvider(transport: transport) { (_: String) in
      URLRequest(url: URL(string: "data:text/plain,hello")!)
    }
    guard case .notHTTP = await failure(of: provider) else {
      Issue.record("data is no HTTP")
      return
    }
  }

  @Test("Many at once do not get each other's answers")
  func concurrent() async throws {
    let server = try WebServer { request in WebReply(body: request.path) }
    let provider = provider(of: server)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<50 {
        group.addTask {
          let answer = try await provider.load("/\(index)", reporting: LoadEvents())
          return answer.body == Data("/\(index)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("A transport that nobody holds any more lets its transfers end")
  func released() async throws {
    let latch = Latch()
    let server = try WebServer { _ in WebReply(body: "there", holdBefore: latch) }
    let task = Task {
      let provider = URLProvider(transport: URLTransport()) { (path: String) in
        URLRequest(url: server.url(path))
      }
      return try await provider.load("/", reporting: LoadEvents())
    }
    await server.requests(atLeast: 1)
    latch.open()
    #expect(try await task.value.body == Data("there".utf8))
  }
}
