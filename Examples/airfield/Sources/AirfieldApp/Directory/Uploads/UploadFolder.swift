import Foundation

/// The folder in which files are kept from when they are taken in until their import has ended.
///
/// Nobody but this user may read it. Files are named by their content, whatever they were called.
final class UploadFolder: Sendable {
  let path: String
  let limit: Int

  /// The folder of a database; made when the first file comes.
  init(database path: String, limit: Int = 32 << 20) {
    self.path = path + ".uploads"
    self.limit = limit
  }

  /// Begins to take in a file.
  func begin(name: String) throws -> UploadFile {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(OpenFile.Failure(code: errno)) }
    let part = path + "/" + UUID().uuidString.lowercased() + ".part"
    do {
      return try UploadFile(folder: self, name: UploadName.shown(name), part: part)
    } catch {
      throw failure(error)
    }
  }

  /// Removes what no import needs and nobody holds, in this process or another.
  ///
  /// - Parameter needed: the path of the file that is still needed; asked for once nobody holds the
  ///   others, so that a file whose import begins meanwhile stays.
  func sweep(needed: () async throws -> String?) async throws {
    let there = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let files = there.map { path + "/" + $0 }.compactMap { path -> (String, OpenFile)? in
      guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
        (try? file.lock()) == true
      else { return nil }
      return (path, file)
    }
    guard !files.isEmpty else { return }
    let needed = try await needed()
    for (path, _) in files where path != needed { unlink(path) }
  }

  func failure(_ failure: OpenFile.Failure) -> UploadError {
    .cannotWrite(path: path, reason: failure.message)
  }
}
