import Dispatch
import Fieldstone
import FieldstoneTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The code of the article on composing stages; the README has its own `FileOpen`.
private enum Composing {
  struct Document: Codable, Sendable {
    var number: Int
  }

  struct Response: Sendable {
    var status: Int

    init(_ data: Data?, _ response: URLResponse?) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
    }
  }

  enum UploadError: Error {
    case refused(Int)
  }

  // snippet: composing-parts
  enum FileOpen: Stage {
    case read(URL)
    case parse(Data)

    func next() async throws -> Step<Self, Document> {
      switch self {
      case .read(let url): .advance(to: .parse(try Data(contentsOf: url)))
      case .parse(let data): .complete(try JSONDecoder().decode(Document.self, from: data))
      }
    }
  }

  enum HTTPRequest: Stage {
    case post(URL, body: Data)
    case send(URLRequest)

    func next() async throws -> Step<Self, Response> {
      switch self {
      case .post(let url, let body):
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = body
        return .advance(to: .send(request))
      case .send(let request):
        return .complete(try await answer(to: request))
      }
    }
  }
  // end

  // snippet: composing-whole
  enum FileUpload: Stage {
    case open(FileOpen, to: URL)
    case upload(HTTPRequest)

    func next() async throws -> Step<Self, Response> {
      switch self {
      case .open(let file, let destination):
        try await file.next().map(
          stage: { .open($0, to: destination) },
          completion: { document in
            let body = try JSONEncoder().encode(["number": document.number])
            return .advance(to: .upload(.post(destination, body: body)))
          })
      case .upload(let request):
        try await request.next().map(
          stage: { .upload($0) },
          completion: { response in
            guard response.status == 200 else { throw UploadError.refused(response.status) }
            return .complete(response)
          })
      }
    }
  }
  // end

  // snippet: composing-callback
  static func answer(to request: URLRequest) async throws -> Response {
    try await future { resolve in
      let task = URLSession.shared.dataTask(with: request) { data, response, error in
        resolve {
          if let error { throw error }
          return Response(data, response)
        }
      }
      resolve.onCancel { task.cancel() }
      task.resume()
    }
  }
  // end

  actor Shelf {
    private(set) var titles: [String] = []
    func add(_ title: String) { titles.append(title) }
  }

  enum Import: ContextualStage {
    case read(URL)

    func next(in shelf: Shelf) async throws -> Step<Self, Int> {
      switch self {
      case .read(let url):
        await shelf.add(url.lastPathComponent)
        return .complete(await shelf.titles.count)
      }
    }
  }
}

@Suite("The articles on stages")
struct StagesArticleSnippets {
  @Test("Stages of stages")
  func composing() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data(#"{"number":7}"#.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let destination = try #require(URL(string: "unknown-scheme://nowhere"))
    var names: [String] = []
    await #expect(throws: URLError.self) {
      for try await stage in Composing.FileUpload.open(.read(file), to: destination).stages {
        switch stage {
        case .open(.read, _): names.append("read")
        case .open(.parse, _): names.append("parse")
        case .upload(.post(_, let body)): names.append(String(decoding: body, as: UTF8.self))
        case .upload(.send): names.append("send")
        }
      }
    }
    #expect(names == ["read", "parse", #"{"number":7}"#, "send"])
  }

  @Test("Services")
  func services() async throws {
    typealias Import = Composing.Import
    let database = Composing.Shelf()
    let url = URL(filePath: "airports.csv")
    // snippet: composing-services
    let count = try await Import.read(url).execute(in: database)
    // end
    #expect(count == 1)
  }

  @Test("Called back, in places of one's own")
  func callback() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let checkpoint = url.appendingPathExtension("checkpoint")
    defer { try? FileManager.default.removeItem(at: checkpoint) }
    let shown = Recorder<String>()
    @Sendable func show(_ document: Document) { shown.record(document.title) }
    @Sendable func show(_ error: any Error) { shown.record("error") }

    // snippet: executing-callback
    FileOpen.read(url).execute { useResult in
      do {
        show(try useResult())
      } catch {
        show(error)
      }
    }
    // end
    #expect(await shown.elements(atLeast: 1) == ["error"])

    try JSONEncoder().encode(Document(title: "Stones")).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let readQueue = DispatchQueue(label: "reads")
    // snippet: executing-options
    var options = ExecutionOptions<FileOpen>()
    options.placement = { stage in
      if case .read = stage { .queue(readQueue) } else { .priority(.utility) }
    }
    options.completionPlacement = .queue(.main)
    options.beforeStage = { print("About to perform \($0)") }
    FileOpen.read(url).execute(options: options) { useResult in
      if let document = try? useResult() { show(document) }
    }
    // end
    #expect(await shown.elements(atLeast: 2) == ["error", "Stones"])

    // snippet: executing-store
    for try await stage in FileOpen.read(url).stages {
      try JSONEncoder().encode(stage).write(to: checkpoint)
    }
    // end
    let stored = try JSONDecoder().decode(FileOpen.self, from: Data(contentsOf: checkpoint))
    #expect(try await stored.execute().title == "Stones")
  }
}
