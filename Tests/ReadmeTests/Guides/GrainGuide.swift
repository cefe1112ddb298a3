import Dispatch
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

@Suite("Guide: from Grain")
struct GrainGuide {
  // snippet: grain-stages
  struct Reading: Sendable, Equatable {
    let text: String
    let number: Double
  }

  enum FileOpenStage: Stage, Codable {
    case read(URL)
    case decode(Data)
    case check([String: String])

    enum Failure: DescribedError {
      case missing(String)
      var message: String {
        switch self {
        case .missing(let key): "The file has no \(key); export it again."
        }
      }
    }

    func next() async throws -> Step<Self, Reading> {
      switch self {
      case .read(let url):
        return .advance(to: .decode(try Data(contentsOf: url)))
      case .decode(let data):
        return .advance(to: .check(try JSONDecoder().decode([String: String].self, from: data)))
      case .check(let entries):
        guard let text = entries["text"] else { throw Failure.missing("text") }
        guard let number = entries["number"].flatMap(Double.init) else {
          throw Failure.missing("number")
        }
        return .complete(Reading(text: text, number: number))
      }
    }
  }
  // end

  // snippet: grain-tuple
  enum MeasureStage: Stage {
    case measure(String)

    func next() async throws -> Step<Self, (text: String, length: Int)> {
      switch self {
      case .measure(let text): .complete((text: text, length: text.count))
      }
    }
  }
  // end

  // snippet: grain-future
  enum HTTPRequestStage: Stage {
    case get(URL)
    case post(URL, body: Data)

    func next() async throws -> Step<Self, Int> {
      let status: Int = try await future { resolve in
        let request =
          switch self {
          case .get(let url): client.send("GET", url) { resolve(with: $0) }
          case .post(let url, let body): client.send("POST", url, body) { resolve(with: $0) }
          }
        resolve.onCancel { request.cancel() }
      }
      return .complete(status)
    }
  }
  // end

  // snippet: grain-compose
  enum Upload: Sendable, Equatable {
    case stored
    case refused(status: Int)
  }

  enum FileUploadStage: Stage {
    case open(FileOpenStage, to: URL)
    case send(HTTPRequestStage)

    func next() async throws -> Step<Self, Upload> {
      switch self {
      case .open(let file, let destination):
        try await file.next().map(
          stage: { .open($0, to: destination) },
          completion: { reading in
            .advance(to: .send(.post(destination, body: Data("\(reading.number)".utf8))))
          })
      case .send(let request):
        try await request.next().map(
          stage: { .send($0) },
          completion: { .complete($0 == 200 ? .stored : .refused(status: $0)) })
      }
    }
  }
  // end

  // Made anew each time: leak detectors don't follow the references of a stored `Data`.
  private static var json: Data { Data(#"{"text": "Stones", "number": "4"}"#.utf8) }

  private func withFile<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Self.json.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
  }

  @Test("Executing, awaited")
  func awaited() async throws {
    let reading = try await withFile { url in
      // snippet: grain-await
      let reading = try await FileOpenStage.read(url).execute()
      // end
      return reading
    }
    #expect(reading == Reading(text: "Stones", number: 4))
  }

  @Test("Executing, by callback")
  func callback() async throws {
    let url = URL(filePath: "nowhere/at/all")
    let log = Recorder<String>()
    // snippet: grain-execute
    let execution = FileOpenStage.read(url).execute { useResult in
      do {
        log.record(try useResult().text)
      } catch {
        log.record("It could not be opened.")
      }
    }
    // end
    #expect(await execution.outcome.error != nil)
    #expect(await log.elements(atLeast: 1) == ["It could not be opened."])
  }

  @Test("From any stage, and from a stored one")
  func resuming() async throws {
    let json = Self.json
    // snippet: grain-resume
    let later = try await FileOpenStage.decode(json).execute()  // not from the first stage

    let stored = try JSONEncoder().encode(FileOpenStage.decode(json))
    let restored = try JSONDecoder().decode(FileOpenStage.self, from: stored)
    let reading = try await restored.execute()
    // end
    #expect(later == reading && reading.number == 4)
    await #expect(throws: FileOpenStage.Failure.self) {
      try await FileOpenStage.check(["text": "Stones"]).execute()
    }
  }

  @Test("A tuple comes out")
  func tuple() async throws {
    let (text, length) = try await MeasureStage.measure("Stones").execute()
    #expect(text == "Stones" && length == 6)
    let heard = Recorder<Int?>()
    let execution = MeasureStage.measure("Slate").execute { heard.record(try? $0().length) }
    #expect(await heard.elements(atLeast: 1) == [5])
    withExtendedLifetime(execution) {}
  }

  @Test("A callback API")
  func callbackAPI() async throws {
    #expect(try await HTTPRequestStage.get(URL(filePath: "a")).execute() == 404)
    #expect(try await HTTPRequestStage.post(URL(filePath: "a"), body: Data()).execute() == 200)
  }

  @Test("Composing")
  func composing() async throws {
    let upload = try await withFile { url in
      try await FileUploadStage.open(.read(url), to: URL(filePath: "b")).execute()
    }
    #expect(upload == .stored)
    #expect(
      try await FileUploadStage.send(.get(URL(filePath: "b"))).execute() == .refused(status: 404))
  }

  @Test("Stopping before a stage")
  func stopping() async throws {
    let stored = try await withFile { url in
      // snippet: grain-stop
      var stored: FileOpenStage?
      for try await stage in FileOpenStage.read(url).stages {
        guard case .check = stage else { continue }
        stored = stage  // its work is not done
        break
      }
      // end
      return stored
    }
    #expect(try await stored?.execute().number == 4)
  }

  @Test("On the main actor")
  @MainActor
  func onMain() async throws {
    let json = Self.json
    let screen = Screen()
    let shown = Recorder<String>()
    // snippet: grain-main
    var options = ExecutionOptions<FileOpenStage>()
    options.completionPlacement = .queue(.main)  // the seed's default
    let execution = FileOpenStage.decode(json).execute(options: options) { useResult in
      shown.record((try? useResult().text) ?? "nothing")
    }

    let task = Task { screen.title = try await FileOpenStage.decode(json).execute().text }
    // end
    try await task.value
    #expect(screen.title == "Stones")
    #expect(await shown.elements(atLeast: 1) == ["Stones"])
    withExtendedLifetime(execution) {}
  }

  @MainActor
  final class Screen {
    var title = ""
  }

  // snippet: grain-context
  enum FetchStage: ContextualStage {
    case fetch(URL)
    case measure(String)

    func next(in pages: PageClient) async throws -> Step<Self, Int> {
      switch self {
      case .fetch(let url): return .advance(to: .measure(try await pages.text(of: url)))
      case .measure(let text):
        let formatter = NumberFormatter()  // not `Sendable`: made and used within one stage
        return .complete(formatter.number(from: text)?.intValue ?? text.count)
      }
    }
  }

  actor PageClient {  // an actor is `Sendable`, and so is a final class of constants
    private(set) var requestCount = 0

    func text(of url: URL) throws -> String {
      requestCount += 1
      return url.lastPathComponent
    }
  }
  // end

  @Test("What stages need from outside")
  func context() async throws {
    let client = PageClient()
    let length = try await FetchStage.fetch(URL(filePath: "/stones")).execute(in: client)
    #expect(length == 6)
    #expect(try await FetchStage.measure("12").execute(in: client) == 12)
    #expect(await client.requestCount == 1)
  }

  @Test("Where stages run")
  func options() async throws {
    let (places, stages) = (Recorder<String>(), Recorder<FileOpenStage>())
    try await withFile { url in
      // snippet: grain-options
      let readQueue = DispatchQueue(label: "org.example.reading")
      var options = ExecutionOptions<FileOpenStage>()
      options.placement = { stage in
        if case .read = stage { .queue(readQueue) } else { .priority(.utility) }
      }
      options.completionPlacement = .queue(.main)
      options.beforeStage = { stages.record($0) }
      let execution = FileOpenStage.read(url).execute(options: options) { useResult in
        places.record(MainDispatch.isOnMain ? "main" : "elsewhere")
      }
      // end
      #expect(await execution.outcome.value != nil)
      #expect(await places.elements(atLeast: 1) == ["main"])
      #expect(stages.count == 3)
    }
  }
}

/// A callback client in the style of the seed's time, which only stores.
private struct CallbackClient: Sendable {
  struct Request: Sendable {
    func cancel() {}
  }

  func send(
    _ method: String, _ url: URL, _ body: Data? = nil,
    then answer: @escaping @Sendable (Result<Int, any Error>) -> Void
  ) -> Request {
    answer(.success(body == nil ? 404 : 200))
    return Request()
  }
}

private let client = CallbackClient()
