public import Foundation

/// A folder of its own for one test, gone with it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes the folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "airfield-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder, written where there are contents.
  public func path(_ name: String, _ contents: [UInt8]? = nil) throws -> String {
    let file = url.appending(path: name)
    if let contents { try Data(contents).write(to: file) }
    return file.path
  }

  /// The path of a file in the folder that holds a text.
  public func path(_ name: String, _ text: String) throws -> String {
    try path(name, Array(text.utf8))
  }
}
