import Foundation

/// The location of a journal, from the command line.
package struct JournalPlace: Sendable {
  /// A path, or the URL of a PostgreSQL server.
  package let text: String

  /// Makes a place.
  package init(_ text: String) {
    let scheme = Self.schemes.first { text.prefix($0.count).lowercased() == $0 }
    self.text = scheme.map { $0 + text.dropFirst($0.count) } ?? text
  }

  private static let schemes = ["postgresql://", "postgres://"]

  /// Whether it is the URL of a server.
  package var isPostgres: Bool { Self.schemes.contains { text.hasPrefix($0) } }

  /// Whether it may be the other form of a connection string, `host=… dbname=…`, which may contain
  /// a password.
  ///
  /// Any keyword counts: a list of them would miss those of later versions of libpq, and the
  /// password would be shown as a part of a path.
  package var isConnectionText: Bool {
    let text = text.drop(while: \.isWhitespace)
    let keyword = text.prefix { $0 == "_" || $0.isASCII && $0.isLowercase }
    return !keyword.isEmpty && text.dropFirst(keyword.count).first { !$0.isWhitespace } == "="
  }

  /// The location without user, password and options, safe to show.
  package var shown: String {
    guard isPostgres else { return text }
    guard let url = URLComponents(string: text), let host = url.host else {
      return "postgresql://…"
    }
    return "postgresql://\(host)\(url.port.map { ":\($0)" } ?? "")\(url.path)"
  }
}
