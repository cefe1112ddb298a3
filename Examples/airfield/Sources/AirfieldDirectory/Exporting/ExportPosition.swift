import FieldstoneDurable
import Foundation

/// How far an export has come: all that it needs to go on from there.
package struct ExportPosition: Sendable, Equatable, Codable {
  /// What is exported.
  let request: ExportRequest

  /// Where it goes.
  let place: ExportPlace

  /// How many airports there were to export when it began.
  let total: Int

  /// Where the next page lies.
  var range: ExportRange

  /// The number of the next page, from 1.
  var page = 1

  /// How many airports are out.
  var rows = 0

  /// How many bytes of the file are good; what may stand behind them is of an attempt without end.
  var bytes: Int

  init(request: ExportRequest, place: ExportPlace, extent: (total: Int, first: ExportRange)) {
    self.request = request
    self.place = place
    total = extent.total
    range = extent.first
    bytes = request.format.header.utf8.count
  }

  var progress: ExportProgress {
    ExportProgress(fraction: min(1, Double(rows) / Double(max(1, total))), rows: rows)
  }
}

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
