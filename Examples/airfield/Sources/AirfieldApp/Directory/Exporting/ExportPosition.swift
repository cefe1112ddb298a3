import FieldstoneDurable
import Foundation

/// How far an export has come: all that it needs to go on from there.
struct ExportPosition: Sendable, Equatable, Codable {
  let request: ExportRequest
  let place: ExportPlace
  let total: Int
  var range: ExportRange
  var page = 1
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

enum ExportPlace: Sendable, Equatable, Codable {
  /// Into a file that is not yet called what it will be called.
  case file(PartialFile)
  case address(URL)

  init(_ request: ExportRequest, run: RunID, in services: ExportServices) throws {
    switch request.target {
    case .file(let path):
      self = .file(
        try PartialFile(
          target: path, run: run, header: request.format.header,
          database: services.directory.path, replacing: services.replaces))
    case .address(let url): self = .address(url)
    }
  }
}
