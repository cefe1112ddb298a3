import Foundation

/// An empty folder for a test, removed with it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    let name = "fieldstone-storage-\(UUID().uuidString)"
    // The true path: on Apple platforms the temporary folder is behind a link.
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The place of the file that most tests use.
  var file: URL { self["value.json"] }

  subscript(name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

  /// All that is in the folder, sorted, without the lock files.
  var names: [String] { allNames.filter { !$0.hasSuffix(".fieldstone-lock") } }

  var allNames: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).sorted()
  }

  /// Writes as a program does that knows nothing of stores.
  func write(_ bytes: Data, to name: String = "value.json") throws {
    try bytes.write(to: self[name])
  }

  func write(_ text: String, to name: String = "value.json") throws {
    try write(Data(text.utf8), to: name)
  }

  func bytes(of name: String = "value.json") -> Data? { try? Data(contentsOf: self[name]) }

  func text(of name: String = "value.json") -> String? {
    bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
  }

  func mode(of name: String = "value.json") -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: self[name].path())
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  func setMode(_ mode: Int, of name: String = "value.json") throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: self[name].path())
  }
}
