import FieldstoneDurable
import Foundation

/// What is to be exported, and where to; the same again is the same export.
struct ExportRequest: Sendable, Hashable, Codable {
  static let pageSize = 1_000

  let target: ExportTarget

  /// The two-letter code of the only country asked for, in capitals; nil for all.
  let country: String?

  /// How many airports a page has, the last one aside; at least one.
  let pageSize: Int

  /// Takes the country's code in any case; whether there is such a country is looked at when the export
  /// begins.
  init(
    to target: ExportTarget, country: String? = nil, pageSize: Int = ExportRequest.pageSize
  ) {
    self.target = target
    self.country = country?.uppercased()
    self.pageSize = max(1, pageSize)
  }

  var query: AirportQuery { AirportQuery(country: country) }

  var format: ExportFormat { target.format }

  /// Names the export among those that may stand beside it.
  var name: String { "\(pageSize)-\(country ?? "")-\(target.identity)" }

  /// Names the export after so many of the same that are over.
  ///
  /// Whoever asks for the same export again gets the one that is not over yet, and a new one
  /// otherwise. The version is in it because older code can't go on with what newer code began.
  func key(after exports: Int) -> String {
    "\(AirportExport.flowVersion)-\(exports)-\(name)"
  }
}

/// Where an export goes: into a file, or to a server.
enum ExportTarget: Sendable, Hashable, Codable {
  /// The file at this absolute path, which is replaced once the export is whole.
  case file(path: String)

  /// The address, of `http` or `https`, that each page is posted to.
  case address(URL)

  /// Reads what somebody typed: an address, or the path of a file.
  ///
  /// - Throws: ``ExportError/badAddress(_:)``, or ``ExportError/folder(path:)`` for what can only
  ///   be one.
  init(_ text: String) throws(ExportError) {
    guard let mark = text.firstRange(of: "://") else {
      guard let last = text.last, last != "/" else { throw .folder(path: text) }
      self = .file(path: URL(filePath: text).standardizedFileURL.resolvingSymlinksInPath().path)
      return
    }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https", var parts = URLComponents(string: text),
      parts.host?.isEmpty == false, parts.port.map({ 1...65_535 ~= $0 }) ?? true
    else { throw .badAddress(text) }
    // An address without a path asks for the root; what answers is then known by it.
    if parts.path.isEmpty { parts.path = "/" }
    parts.scheme = scheme
    parts.fragment = nil
    guard let url = parts.url else { throw .badAddress(text) }
    self = .address(url)
  }

  /// The target for people: a path, or an address without what is nobody's business.
  var name: String {
    switch self {
    case .file(let path): path
    case .address(let url): Self.name(of: url)
    }
  }

  /// An address for people; a query or a password may hold what is nobody's business.
  static func name(of url: URL) -> String {
    let port = url.port.map { ":\($0)" } ?? ""
    return "\(url.scheme ?? "http")://\(url.host() ?? "")\(port)\(url.path())"
  }

  var identity: String {
    switch self {
    case .file(let path): path
    case .address(let url): url.absoluteString
    }
  }

  var format: ExportFormat {
    let ending =
      switch self {
      case .file(let path): URL(filePath: path).pathExtension
      case .address(let url): url.pathExtension
      }
    return ending.lowercased() == "jsonl" ? .jsonLines : .csv
  }
}

enum ExportFormat: Sendable {
  /// With the columns of an airport file, so that it can be imported again.
  case csv

  /// An object a line, with the same names.
  case jsonLines

  var contentType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8; header=present"
    case .jsonLines: "application/jsonl"
    }
  }

  /// What stands before the first airport.
  var header: String {
    switch self {
    case .csv: CSVWriter.line(AirportColumn.allCases.map(\.rawValue))
    case .jsonLines: ""
    }
  }

  func lines(_ airports: [Airport]) throws -> String {
    switch self {
    case .csv:
      return airports.map { airport in
        CSVWriter.line(AirportColumn.allCases.map { $0.value(of: airport)?.text ?? "" })
      }.joined()
    case .jsonLines:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try airports.map { airport in
        let values = AirportColumn.allCases.compactMap { column in
          column.value(of: airport).map { (column.rawValue, $0) }
        }
        let object = Dictionary(values, uniquingKeysWith: { first, _ in first })
        return String(decoding: try encoder.encode(object), as: UTF8.self) + "\n"
      }.joined()
    }
  }
}
