import Foundation
import Synchronization

/// The folder in which files are kept from when they are taken in until their import has ended.
///
/// Nobody but this user may read it. Files are named by their content, whatever they were called.
final class UploadFolder: Sendable {
  let path: String
  let limit: Int

  /// The files whose import is about to begin.
  private let held = Mutex<Set<String>>([])

  /// The folder of a database; made when the first file comes.
  init(database path: String, limit: Int = 32 << 20) {
    self.path = path + ".uploads"
    self.limit = limit
  }

  /// Begins to take in a file.
  func begin(name: String) throws -> UploadFile {
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(OpenFile.Failure(code: errno)) }
    let part = path + "/" + UUID().uuidString.lowercased() + Self.partial
    do {
      return try UploadFile(folder: self, name: UploadName.shown(name), part: part)
    } catch {
      throw failure(error)
    }
  }

  /// Removes what no import needs.
  ///
  /// - Parameters:
  ///   - includingPartial: whether files go, too, that were never taken in whole.
  ///   - needed: the path of the file that is still needed; asked for once it is known what is
  ///     there, so that a file whose import begins meanwhile stays.
  func sweep(includingPartial: Bool, needed: () async throws -> String?) async throws {
    let there = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let held = held.withLock { $0 }
    let files = there.map { path + "/" + $0 }.filter { file in
      !held.contains(file) && (includingPartial || !file.hasSuffix(Self.partial))
    }
    guard !files.isEmpty else { return }
    let needed = try await needed()
    for file in files where file != needed { unlink(file) }
  }

  /// Sees to it that a file is not swept before its import has begun.
  func hold(_ file: String) { held.withLock { _ = $0.insert(file) } }

  /// Lets a file be swept once its import has ended, or will not begin.
  func release(_ file: String) { held.withLock { _ = $0.remove(file) } }

  func failure(_ failure: OpenFile.Failure) -> UploadError {
    .cannotWrite(path: path, reason: failure.message)
  }

  private static let partial = ".part"
}
