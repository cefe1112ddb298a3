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
    do {
      while true {
        let part = path + "/" + UUID().uuidString.lowercased() + ".part"
        let file = try OpenFile(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        // By that lock other servers know that somebody is at it; one that was faster removes it.
        if try file.tryShare(), try file.isStill(at: part) {
          return UploadFile(folder: self, name: UploadName.shown(name), part: part, file: file)
        }
      }
    } catch let error as OpenFile.Failure {
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
      guard let file = try? OpenFile(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK),
        (try? file.lock()) == true
      else { return nil }
      return (path, file)
    }
    guard !files.isEmpty else { return }
    let needed = try await needed()
    // One that has come to its name meanwhile is another one.
    for (path, file) in files where path != needed && (try? file.isStill(at: path)) == true {
      unlink(path)
    }
  }

  func failure(_ failure: OpenFile.Failure) -> UploadError {
    .cannotWrite(path: path, reason: failure.message)
  }
}
