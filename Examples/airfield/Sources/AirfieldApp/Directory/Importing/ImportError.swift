import Fieldstone

/// What keeps a file from being imported at all.
enum ImportError: DescribedError, Equatable, Codable {
  case missing(path: String)
  case notAFile(path: String)
  case brokenLink(path: String)
  case foreign(path: String, kind: ForeignFile)

  /// A quote that never closes swallows so many lines after its own.
  case openQuote(path: String, line: Int, swallowed: Int)
  case unreadable(path: String, reason: String)

  /// The file holds nothing, or nothing but blank lines.
  case empty(path: String)

  /// The file holds bytes that are not UTF-8, the first of them on this line.
  case notUTF8(path: String, line: Int)
  case notAirports(path: String, reason: AirportHeaderError)
  case changed(path: String)

  var message: String {
    switch self {
    case .missing(let path): "there is no file at \(path); give the path of a CSV file"
    case .notAFile(let path): "\(path) is not a file; give the path of a CSV file"
    case .brokenLink(let path):
      "\(path) is a symbolic link that leads nowhere or in a circle; give the file itself"
    case .foreign(let path, let kind): "\(path) is \(kind.message)"
    case .openQuote(let path, let line, let swallowed):
      "\(path) opens a quote on line \(line) that never closes and swallows the last \(swallowed)"
        + " \(swallowed == 1 ? "line" : "lines"); close it and import the file again"
    case .unreadable(let path, let reason):
      "cannot read \(path): \(reason); make it readable, or give a copy of it"
    case .empty(let path):
      "\(path) is empty; give a file whose first line names the columns, with an airport a line"
    case .notUTF8(let path, let line):
      "\(path) is not UTF-8 (line \(line)); save it as UTF-8 and import it again"
    case .notAirports(let path, let reason):
      "\(path) is not a CSV file of airports: \(reason.message); its first line must name "
        + AirportColumn.allCases.filter(\.isRequired).map(\.rawValue).joined(separator: ", ")
    case .changed(let path):
      "\(path) changed while it was being imported; import it again"
    }
  }

  /// The file, by its path or by the name that it was given with.
  var path: String {
    switch self {
    case .missing(let path), .notAFile(let path), .unreadable(let path, _), .empty(let path),
      .notUTF8(let path, _), .notAirports(let path, _), .changed(let path),
      .brokenLink(let path), .foreign(let path, _), .openQuote(let path, _, _):
      path
    }
  }
}
