import Fieldstone
import Foundation
import Testing

struct Document: Codable, Sendable, Equatable {
  var title: String
}

// snippet: stages
enum FileOpen: Stage, Codable {
  case read(URL)
  case parse(Data)

  func next() async throws -> Step<Self, Document> {
    switch self {
    case .read(let url): .advance(to: .parse(try Data(contentsOf: url)))
    case .parse(let data): .complete(try JSONDecoder().decode(Document.self, from: data))
    }
  }
}
// end

@Suite("README: stages")
struct StagesSnippets {
  private func withDocument<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    try Data(#"{"title":"Stones"}"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try await body(url)
  }

  @Test("Executing")
  func executing() async throws {
    let document = try await withDocument { url in
      // snippet: stages-execute
      let document = try await FileOpen.read(url).execute()
      // end
      return document
    }
    #expect(document == Document(title: "Stones"))
  }

  @Test("Storing and resuming")
  func storing() async throws {
    let document = try await withDocument { url in
      // snippet: stages-resume
      var stored = Data()
      for try await stage in FileOpen.read(url).stages {
        stored = try JSONEncoder().encode(stage)  // killed here …
      }
      let stage = try JSONDecoder().decode(FileOpen.self, from: stored)
      let document = try await stage.execute()  // … it goes on from where it was
      // end
      return document
    }
    #expect(document == Document(title: "Stones"))
  }

  @Test("A production line")
  func productionLine() async throws {
    let titles = try await withDocument { url in
      let urls = [url, url, url]
      var titles: [String] = []
      // snippet: stages-line
      let line = ProductionLine<FileOpen>(maxConcurrent: 2)
      let results = line.results(order: .input)
      line.add(contentsOf: urls.map(FileOpen.read))
      line.finish()
      for await outcome in results {
        switch outcome {
        case .success(let document): titles.append(document.title)
        case .failure(let error): titles.append(error.localizedDescription)
        case .cancelled(let reason): titles.append("cancelled: \(reason)")
        }
      }
      // end
      return titles
    }
    #expect(titles == ["Stones", "Stones", "Stones"])
  }
}
