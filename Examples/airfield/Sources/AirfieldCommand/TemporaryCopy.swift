import Fieldstone
import Foundation

/// A file of its own for what an import can't read where it is: it reads its file several times.
enum TemporaryCopy {
  /// Copies all of the standard input.
  static func ofStandardInput() throws -> URL {
    try make { file in
      while let part = try FileHandle.standardInput.read(upToCount: 1 << 17), !part.isEmpty {
        try file.write(contentsOf: part)
      }
    }
  }

  /// Unpacks a file that is compressed with gzip; nil where it is another one.
  ///
  /// - Parameter name: what the file is called where something is said of it.
  static func unpacked(_ path: String, name: String) throws -> URL? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    guard (try? file.read(upToCount: 2)) == Data([0x1F, 0x8B]) else { return nil }
    return try make { copy in
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["gzip", "-d", "-c", "--", path]
      process.standardOutput = copy
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw MessageError(
          "\(name) is compressed with gzip and can’t be unpacked; unpack it with gunzip, which says "
            + "why, and import what comes out")
      }
    }
  }

  private static func make(_ write: (FileHandle) throws -> Void) throws -> URL {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "airfield-\(UUID().uuidString).csv", directoryHint: .notDirectory)
    // Opening the file says what is wrong where it can't be made.
    _ = FileManager.default.createFile(
      atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    do {
      try write(file)
    } catch {
      try? FileManager.default.removeItem(at: url)
      throw error
    }
    return url
  }
}
