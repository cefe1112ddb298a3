import FieldstoneCore
import FieldstoneStages
import Foundation

/// What the seed's first example reads from a file.
struct Document: Codable, Hashable {
  var text: String
  var number: Double
  var arrayOfText: [String]

  static let sample = Document(text: "Hello", number: 42, arrayOfText: ["a", "b"])
}

/// The seed's first example: several initial stages, errors in each of them.
enum FileOpen: Stage, Codable, Hashable {
  case read(URL)
  case parse(Data)
  case done(Document)

  enum Failure: DescribedError, Equatable {
    case missing(String)

    var message: String {
      switch self {
      case .missing(let key): "The document has no \(key); add it."
      }
    }
  }

  func next() async throws -> Step<Self, Document> {
    switch self {
    case .read(let url):
      return .advance(to: .parse(try Data(contentsOf: url)))
    case .parse(let data):
      let document = try JSONDecoder().decode(Document.self, from: data)
      if document.text.isEmpty { throw Failure.missing("text") }
      return .advance(to: .done(document))
    case .done(let document):
      return .complete(document)
    }
  }
}

/// A file that is there as long as the body runs.
func withFile<Result>(
  _ contents: Data, _ body: (URL) async throws -> Result
) async throws -> Result {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "fieldstone-\(UUID().uuidString).json")
  try contents.write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(url)
}
