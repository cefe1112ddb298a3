public import Foundation

/// Where an export goes: into a file, or to a server.
public enum ExportTarget: Sendable, Hashable, Codable {
  /// The file at this absolute path, which is replaced once the export is whole.
  case file(path: String)

  /// The address, of `http` or `https`, that each page is posted to.
  case address(URL)

  /// Reads what somebody typed: an address, or the path of a file.
  ///
  /// - Throws: ``ExportError/badAddress(_:)``, or ``ExportError/folder(path:)`` for what can only
  ///   be one.
  public init(_ text: String) throws(ExportError) {
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
  public var name: String {
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
