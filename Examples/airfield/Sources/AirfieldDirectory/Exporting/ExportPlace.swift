import FieldstoneDurable
import Foundation

/// Where the pages of an export that has begun go.
enum ExportPlace: Sendable, Equatable, Codable {
  /// Into a file that is not yet called what it will be called.
  case file(PartialFile)

  /// To a server.
  case address(URL)

  /// Makes the place ready.
  init(_ request: ExportRequest, run: RunID, database: String) throws {
    switch request.target {
    case .file(let path):
      self = .file(
        try PartialFile(
          target: path, run: run, header: request.format.header, database: database))
    case .address(let url): self = .address(url)
    }
  }
}
