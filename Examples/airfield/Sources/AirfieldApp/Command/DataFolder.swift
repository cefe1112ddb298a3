import Fieldstone
import Foundation

/// The folder in which this user's programs keep their data.
struct DataFolder {
  let url: URL

  /// The folder of this process: as the XDG base directories have it, or as Apple's systems do.
  static var current: DataFolder {
    #if os(macOS)
      DataFolder(url: URL.applicationSupportDirectory.appending(path: "airfield"))
    #else
      DataFolder(
        environment: ProcessInfo.processInfo.environment,
        home: FileManager.default.homeDirectoryForCurrentUser)
    #endif
  }

  /// The path of the database; its folder is made where there is none.
  func databasePath() throws -> String {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw MessageError(
        "cannot make \(url.path): \(error.localizedDescription); give a path with --database")
    }
    return url.appending(path: "airfield.sqlite").path
  }
}

extension DataFolder {
  /// The folder that an environment names; a path that is not absolute does not count.
  init(environment: [String: String], home: URL) {
    let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let base = given.map { URL(filePath: $0) } ?? home.appending(path: ".local/share")
    url = base.appending(path: "airfield")
  }
}

extension AirportDirectory {
  /// Requires a database at a path, where none is to be made.
  static func require(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else {
      throw DirectoryError.missing(path: path)
    }
  }

  /// Opens a directory while `body` works with it, and closes it however that ends.
  static func opened<Value: Sendable>(
    at path: String, toRead: Bool = false, _ body: (AirportDirectory) async throws -> Value
  ) async throws -> Value {
    let directory = try AirportDirectory(
      path: path, toRead: toRead, onProblem: Console.standard.note)
    do {
      let value = try await body(directory)
      await directory.close()
      return value
    } catch {
      await directory.close()
      throw error
    }
  }
}
