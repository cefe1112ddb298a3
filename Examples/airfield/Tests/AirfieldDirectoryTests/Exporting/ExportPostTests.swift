import AirfieldTestSupport
import Fieldstone
import FieldstoneSQLite
import Foundation
import Synchronization
import Testing

@testable import AirfieldApp

@Suite("An export to an address")
struct ExportPostTests {
  let place: ExportFolder

  init() async throws {
    place = try ExportFolder()
    try await place.store(23)
  }

  private func request(
    _ address: String, country: String? = "IS", pageSize: Int = 5
  ) throws -> ExportRequest {
    ExportRequest(to: try ExportTarget(address), country: country, pageSize: pageSize)
  }

  /// Exports, with waits that take no time and are told.
  @discardableResult
  private func export(
    _ request: ExportRequest, attempts: Int = 8,
    waiting: @escaping @Sendable (Duration) -> Void = { _ in },
    onPause: @escaping @Sendable (ExportPause) -> Void = { _ in }
  ) async throws -> ExportSummary {
    let time = TimeSource(
      now: { Date(timeIntervalSinceReferenceDate: 0) }, uptime: { .zero },
      sleepUntilUptime: { waiting($0) }, sleepUntilDate: { _ in })
    let poster = PagePoster(
      policy: RetryPolicy(maximumAttempts: attempts, baseDelay: .milliseconds(1)), time: time,
      onPause: onPause)
    return try await AirportExporter(
      directory: place.directory, journal: place.directory.journal, poster: poster
    ).run(request)
  }

  private static let pages = [0..<5, 5..<10, 10..<15, 15..<20, 20..<23]

  @Test("is one POST a page, each a file of its own, with its number and a key")
  func posts() async throws {
    let receiver = try PageReceiver()
    let summary = try await export(try request(receiver.address("/airports?token=secret")))
    #expect(summary.rows == 23)
    #expect(summary.pages == 5)
    #expect(summary.target.name == receiver.address())
    let posts = receiver.requests
    #expect(posts.map(\.body) == Self.pages.map { ExportFolder.csv($0) })
    #expect(posts.map(\.page) == [1, 2, 3, 4, 5])
    #expect(Set(posts.map(\.line)) == ["POST /airports?token=secret HTTP/1.1"])
    #expect(
      posts.map { $0.headers["airfield-last-page"] } == ["no", "no", "no", "no", "yes"])
    #expect(posts.allSatisfy { $0.headers["content-type"]?.hasPrefix("text/csv;") == true })
    #expect(Set(posts.compactMap(\.key)).count == 5)
  }

  @Test("is made of lines of JSON where its path says so")
  func jsonLines() async throws {
    let receiver = try PageReceiver()
    try await export(try request(receiver.address("/airports.jsonl"), pageSize: 12))
    let posts = receiver.requests
    #expect(posts.map { $0.body.split(separator: "\n").count } == [12, 11])
    #expect(posts.allSatisfy { $0.headers["content-type"] == "application/jsonl" })
    #expect(posts.allSatisfy { $0.body.hasPrefix("{\"") })
  }

  @Test("of nothing is one page without rows")
  func empty() async throws {
    let receiver = try PageReceiver()
    try await export(try request(receiver.address(), country: "VA"))
    #expect(receiver.requests.map(\.body) == [Samples.header])
    #expect(receiver.requests.map { $0.headers["airfield-last-page"] } == ["yes"])
  }

  static let troubles: [PageReceiver.Reply] = [
    .drop, .status(429, ["Retry-After": "0"]), .status(503), .status(500), .status(502),
    .status(408),
  ]

  @Test("posts each page until it is accepted, under the same key", arguments: 0..<6)
  func tries(_ shift: Int) async throws {
    let count = Mutex(0)
    // Four of five posts go wrong, each in another way than the one before it.
    let receiver = try PageReceiver { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number % 5 == 0
        ? .status(200) : Self.troubles[(number + shift) % Self.troubles.count]
    }
    try await export(try request(receiver.address()))
    let posts = receiver.requests
    #expect(posts.count == 25)
    #expect(receiver.accepted.map(\.body) == Self.pages.map { ExportFolder.csv($0) })
    let keys = receiver.accepted.map(\.key)
    #expect(Set(keys).count == 5)
    for (number, post) in posts.enumerated() {
      #expect(post.key == keys[number / 5])
      #expect(post.body == receiver.accepted[number / 5].body)
    }
  }

  @Test("comes back when it was told to, and says that it waits")
  func retryAfter() async throws {
    let receiver = try PageReceiver {
      $0.page == 2 ? .status(429, ["Retry-After": "7"]) : .status(200)
    }
    let waits = Mutex<[Duration]>([])
    let pauses = Mutex<[ExportPause]>([])
    await #expect(throws: MessageError.self) {
      try await export(try request(receiver.address()), attempts: 3) { wait in
        waits.withLock { $0.append(wait) }
      } onPause: { pause in
        pauses.withLock { $0.append(pause) }
      }
    }
    #expect(waits.withLock { $0 } == [.seconds(7), .seconds(7)])
    let pause = ExportPause(reason: "status 429", delay: .seconds(7))
    #expect(pauses.withLock { $0 } == [pause, pause])
    #expect(receiver.requests.compactMap(\.page) == [1, 2, 2, 2])
  }

  @Test(
    "that is refused ends with the status and what to do, and goes on from there later",
    arguments: [
      (400, "ask whoever runs it"), (401, "may be written to"), (404, "one to post to"),
      (405, "one to post to"), (409, "ask whoever runs it"), (413, "--page-size"),
      (415, ".jsonl"), (422, "ask whoever runs it"), (501, "one to post to"), (304, "whoever"),
    ])
  func refused(_ status: Int, _ remedy: String) async throws {
    let isRefusing = Mutex(true)
    let receiver = try PageReceiver { post in
      post.page == 3 && isRefusing.withLock { $0 } ? .status(status) : .status(200)
    }
    let request = try request(receiver.address("/airports?token=secret"))
    let error = await #expect(throws: MessageError.self) { try await export(request) }
    let message = try #require(error?.message)
    #expect(message.contains("\(receiver.address()) answered page 3 with status \(status); "))
    #expect(message.contains(remedy))
    #expect(!message.contains("secret"))
    #expect(!message.contains("\n"))
    #expect(receiver.requests.compactMap(\.page) == [1, 2, 3])

    isRefusing.withLock { $0 = false }
    try await export(request)
    #expect(receiver.requests.compactMap(\.page) == [1, 2, 3, 3, 4, 5])
    #expect(receiver.requests[2] == receiver.requests[3])
    #expect(receiver.accepted.map(\.body) == Self.pages.map { ExportFolder.csv($0) })
  }

  @Test("gives up after so many attempts, and goes on from there later")
  func budget() async throws {
    let receiver = try PageReceiver { $0.page == 2 ? .status(503) : .status(200) }
    let request = try request(receiver.address())
    for round in 1...2 {
      let error = await #expect(throws: MessageError.self) {
        try await export(request, attempts: 4)
      }
      #expect(error?.message.contains("with status 503; try again later") == true)
      #expect(receiver.requests.count == 1 + 4 * round)
    }
    #expect(Set(receiver.requests.dropFirst().map(\.key)).count == 1)
  }

  @Test("ends where nobody answers")
  func nobody() async throws {
    let address = try PageReceiver().address()
    let error = await #expect(throws: MessageError.self) {
      try await export(try request(address), attempts: 2)
    }
    #expect(error?.message.contains("cannot post page 1 to \(address): ") == true)
    #expect(error?.message.contains("check the address") == true)
  }

  @Test("takes no redirection for an acceptance", arguments: [301, 302, 303, 307, 308])
  func redirected(_ status: Int) async throws {
    let receiver = try PageReceiver { request in
      request.line.contains("/elsewhere")
        ? .status(200) : .status(status, ["Location": "/elsewhere"])
    }
    let error = await #expect(throws: MessageError.self) {
      try await export(try request(receiver.address()))
    }
    #expect(error?.message.contains("on to \(receiver.address("/elsewhere"));") == true)
  }

  @Test(
    "posts to the address as it was meant",
    arguments: [
      ("", "/"), ("?a=1", "/?a=1"), ("/a b/ö#part", "/a%20b/%C3%B6"),
      ("/a%20b/?c=%7E", "/a%20b/?c=%7E"),
    ])
  func spelling(_ path: String, _ asked: String) async throws {
    let receiver = try PageReceiver()
    let text = receiver.address(path).replacing("http", with: "HTTP")
    try await export(try request(text, country: "VA"))
    #expect(receiver.requests.map(\.line) == ["POST \(asked) HTTP/1.1"])
  }

  @Test(
    "whose process dies posts that page again under the same key, with the same airports",
    arguments: BreakingJournal.Moment.allCases, [false, true])
  func dies(_ moment: BreakingJournal.Moment, _ hasOther: Bool) async throws {
    let receiver = try PageReceiver()
    let request = try request(receiver.address())
    // Another process has the file open for itself.
    let directory = try AirportDirectory(path: place.directory.path)
    let journal = BreakingJournal(directory.journal, at: 2, moment)
    await #expect(throws: (any Error).self) {
      try await AirportExporter(directory: directory, journal: journal).run(request)
    }
    try await directory.journal.close()
    #expect(receiver.requests.compactMap(\.page) == [1, 2])

    // Should the page be counted off again, the next one would lose the airport that came in.
    let before = try #require(try await place.directory.record(icao: "BI16"))
    var gone = before.airport
    gone.country = "NO"
    _ = try await place.directory.save(gone, replacing: "BI16", basedOn: before.revision)

    // Another export does not touch it, nor its keys.
    if hasOther {
      try await export(try self.request(receiver.address("/other"), pageSize: 100))
    }
    try await export(request)
    let posts = receiver.requests.filter { $0.line.contains("/airports") }
    #expect(
      posts.compactMap(\.page) == (moment == .beforeCommit ? [1, 2, 2, 3, 4, 5] : [1, 2, 3, 4, 5]))
    #expect(Set(posts.map(\.key)).count == 5)
    #expect(posts[1].body == ExportFolder.csv(5..<10))
    if moment == .beforeCommit {
      #expect(posts[2].key == posts[1].key)
      #expect(posts[2].body == ExportFolder.csv([5, 7, 8, 9]))
    }
    #expect(posts.suffix(3).map(\.body) == Self.pages.suffix(3).map { ExportFolder.csv($0) })
  }

  @Test("stopped while a page is on its way, posts it again under the same key")
  func stopped() async throws {
    let isHolding = Mutex(true)
    let receiver = try PageReceiver { post in
      post.page == 3 && isHolding.withLock { $0 } ? .hold : .status(200)
    }
    let request = try request(receiver.address())
    let task = Task { try await export(request) }
    for await post in receiver.arrivals where post.page == 3 { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    isHolding.withLock { $0 = false }
    try await export(request)
    #expect(receiver.requests.compactMap(\.page) == [1, 2, 3, 3, 4, 5])
    #expect(receiver.requests[2] == receiver.requests[3])
  }
}
