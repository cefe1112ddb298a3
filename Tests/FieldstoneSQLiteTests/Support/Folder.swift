#if SQLite
  import Foundation

  /// An empty folder for a test, removed with it.
  final class Folder: Sendable {
    let url: URL

    init() throws {
      // The true path: on Apple platforms the temporary folder is behind a link.
      url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "fieldstone-sqlite-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }

    /// The path of the journal that most tests use.
    var path: String { self["journal.sqlite"] }

    subscript(name: String) -> String {
      url.appending(path: name, directoryHint: .notDirectory).path(percentEncoded: false)
    }

    /// All that is in the folder, sorted.
    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))) ?? [])
        .sorted()
    }

    func write(_ text: String, to name: String = "journal.sqlite") throws {
      try Data(text.utf8).write(to: URL(filePath: self[name]))
    }

    func bytes(of name: String = "journal.sqlite") -> Data? {
      try? Data(contentsOf: URL(filePath: self[name]))
    }
  }
#endif
