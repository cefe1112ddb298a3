import Foundation

/// What a command is given on its standard input.
enum StandardInput {
  /// Copies all of it into a file of its own, as an import reads its file several times.
  static func copied() throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString).csv", directoryHint: .notDirectory)
    // Opening the file says what is wrong where it can't be made.
    _ = FileManager.default.createFile(
      atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    while let part = try FileHandle.standardInput.read(upToCount: 1 << 17), !part.isEmpty {
      try file.write(contentsOf: part)
    }
    return url
  }
}
