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

  /// The location without user, password and options, safe to show.
  package var shown: String {
    guard isPostgres else { return text }
    guard let url = URLComponents(string: text), let host = url.host else {
      return "postgresql://…"
    }
    return "postgresql://\(host)\(url.port.map { ":\($0)" } ?? "")\(url.path)"
  }
}
